//! The lessons as data: every file can be read, says one thing only, and holds nothing that no code looks at.

mod support;

use playground::data::FromJson;
use playground::language::Language;
use playground::lesson::{Hook, HookRule, Lesson};
use playground::message::Json;
use playground::tools::Handler;
use std::collections::BTreeSet;
use std::path::Path;

fn lessons() -> Vec<Lesson> {
    Lesson::all().expect("every lesson can be read")
}

/// The files in `src/lesson`, by the name of the lesson.
fn files() -> Vec<(String, Json)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lesson");
    let entries = std::fs::read_dir(folder).expect("the lessons' folder");
    entries
        .map(|entry| entry.expect("a folder can be listed").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .map(|path| {
            let text = std::fs::read_to_string(&path).expect("a lesson's file");
            let name = path.file_stem().and_then(|name| name.to_str()).expect("a name").to_string();
            (name, serde_json::from_str(&text).expect("a lesson's file is JSON"))
        })
        .collect()
}

#[test]
fn every_file_is_a_lesson_that_is_offered_under_its_own_name() {
    let offered: BTreeSet<String> = lessons().into_iter().map(|lesson| lesson.id).collect();
    let files = files();
    assert_eq!(files.iter().map(|(name, _)| name.clone()).collect::<BTreeSet<_>>(), offered);
    for (name, json) in files {
        assert_eq!(json["id"], *name);
    }
    assert_eq!(lessons()[0].id, "s05", "the project's own lesson comes first");
}

#[test]
fn a_lesson_that_is_written_and_read_is_the_same() {
    for lesson in lessons() {
        let text = serde_json::to_string(&lesson).expect("a lesson is JSON");
        assert_eq!(Lesson::from_json(serde_json::from_str(&text).expect("JSON")).expect("our own lesson"), lesson);
    }
}

#[test]
fn a_field_that_no_code_knows_is_refused_wherever_it_stands() {
    for (name, json) in files() {
        for pointer in [
            "",
            "/title",
            "/tools/0",
            "/tools/0/spec",
            "/tools/0/signature",
            "/tools/0/signature/parameters/0",
            "/plan",
            "/plan/fields",
            "/reminder",
            "/alternatives/0",
            "/hooks/0",
            "/hooks/0/rule",
            "/hooks/0/rule/print",
            "/hooks/1/rule/permission",
            "/texts",
            "/texts/files",
            "/texts/glob",
            "/texts/bash",
            "/texts/bash/danger",
        ] {
            let mut json = json.clone();
            let Some(Json::Object(fields)) = json.pointer_mut(pointer) else { continue };
            fields.insert("remainder".into(), 3.into());
            assert!(Lesson::from_json(json).is_err(), "{name}{pointer}");
        }
    }
}

/// Every object in a JSON value, by its pointer.
fn objects(json: &Json, at: &str, found: &mut Vec<String>) {
    match json {
        Json::Object(fields) => {
            found.push(at.to_string());
            fields.iter().for_each(|(key, value)| objects(value, &format!("{at}/{key}"), found));
        }
        Json::Array(items) => {
            items.iter().enumerate().for_each(|(i, item)| objects(item, &format!("{at}/{i}"), found));
        }
        _ => {}
    }
}

#[test]
fn a_field_that_is_missing_is_missed_and_what_a_lesson_may_do_without_is_said() {
    // A schema is the model's to read, a patch is checked below, and of a hook's rule a part may be left out.
    let is_free = |at: &str| ["/input_schema", "/patch", "/rule/"].iter().any(|part| at.contains(part));
    for (name, json) in files() {
        let mut found = Vec::new();
        objects(&json, "", &mut found);
        for at in found.iter().filter(|at| !is_free(at)) {
            let object = json.pointer(at).and_then(Json::as_object).expect("an object");
            for key in object.keys() {
                let mut cut = json.clone();
                cut.pointer_mut(at).and_then(Json::as_object_mut).expect("an object").shift_remove(key);
                // What is not there is read like `null`, where that can be.
                let mut null = json.clone();
                null.pointer_mut(at).expect("an object")[key] = Json::Null;
                let (cut, null) = (Lesson::from_json(cut), Lesson::from_json(null));
                assert!(cut.is_err() || cut == null, "{name}{at} without {key}");
            }
        }
        // Written out, a lesson has every field that there is: so has its file.
        let lesson = Lesson::from_json(json.clone()).expect("our own lesson");
        let written = serde_json::to_value(&lesson).expect("a lesson is JSON");
        let mut all = Vec::new();
        objects(&written, "", &mut all);
        for at in all.iter().filter(|at| !is_free(at)) {
            let names = |json: &Json| {
                json.pointer(at).and_then(Json::as_object).map(|object| object.keys().cloned().collect::<BTreeSet<_>>())
            };
            assert_eq!(names(&json), names(&written), "{name}{at}");
        }
    }
}

#[test]
fn an_alternative_changes_what_it_says_and_its_undoing_leaves_the_lesson_as_it_was() {
    let mut alternatives = 0;
    for lesson in lessons() {
        let json = serde_json::to_value(&lesson).expect("a lesson is JSON");
        for alternative in &lesson.alternatives {
            let changed = alternative.patch.apply(&lesson).expect("a lesson");
            let mut back = alternative.patch.clone();
            for (at, value) in alternative.patch.iter() {
                let own = json.pointer(at).expect("a place");
                assert_ne!(own, value, "{}: {at} is no difference", alternative.id);
                back.set(&lesson, at, own.clone());
            }
            assert_ne!(changed, lesson);
            assert_eq!(back.apply(&lesson).expect("a lesson"), lesson);
            alternatives += 1;
        }
    }
    assert_eq!(alternatives, 1, "the page of s03-plan differs from its program");
}

#[test]
fn a_lesson_grew_out_of_another_one_or_stands_alone() {
    let told: Vec<_> = lessons().into_iter().map(|lesson| (lesson.id, lesson.predecessor)).collect();
    let told: Vec<_> = told.iter().map(|(id, from)| (id.as_str(), from.as_deref())).collect();
    assert_eq!(told, [("s05", Some("s04")), ("s04", None), ("s03-todo", None), ("s03-plan", Some("s03-todo"))]);
}

#[test]
fn the_plan_has_a_tool_and_the_tool_has_a_plan() {
    for lesson in lessons() {
        let tools: Vec<_> = lesson.tools.iter().filter(|tool| tool.handler == Handler::Plan).collect();
        let Some(plan) = &lesson.plan else {
            assert!(tools.is_empty(), "{}: a plan tool without rules", lesson.id);
            assert_eq!(lesson.reminder, None, "{}: nothing to be reminded of", lesson.id);
            continue;
        };
        let [tool] = tools.as_slice() else { panic!("{}: one plan tool", lesson.id) };
        assert_eq!(tool.spec.name, plan.tool);
        assert!(lesson.is_plan_tool(&plan.tool));
        let argument = tool.signature.parameters.iter().find(|parameter| parameter.name == plan.argument);
        let told = &tool.spec.input_schema["properties"][&plan.argument]["items"]["properties"];
        let told: BTreeSet<&str> = told.as_object().expect("fields").keys().map(String::as_str).collect();
        let fields = [Some(&plan.fields.content), plan.fields.id.as_ref(), plan.fields.active_form.as_ref()];
        let fields = fields.into_iter().flatten().map(String::as_str).chain(["status"]);
        assert_eq!(told, fields.collect(), "{}: the fields of an item", lesson.id);
        assert_eq!(plan.line.contains("{id}"), plan.fields.id.is_some(), "{}", lesson.id);
        assert_eq!(plan.active_line.is_some(), plan.fields.active_form.is_some(), "{}", lesson.id);
        assert!(argument.is_some_and(|parameter| parameter.required), "{}: its list", lesson.id);
        let list = &tool.spec.input_schema["properties"][&plan.argument];
        assert_eq!(list["type"], "array");
        if let Some(most) = list["maxItems"].as_u64() {
            assert_eq!(Some(most as usize), plan.max_items, "{}: the schema and the rule", lesson.id);
        }
    }
}

#[test]
fn a_lesson_has_the_texts_of_the_tools_that_it_has() {
    for lesson in lessons() {
        let has = |handler| lesson.tools.iter().any(|tool| tool.handler == handler);
        assert_eq!(has(Handler::Glob), lesson.texts.glob.is_some(), "{}", lesson.id);
        // Whether a path may lead outside is decided once: by a hook that asks, or by the tool.
        let asks = lesson.hooks.iter().any(|hook| matches!(hook.rule, HookRule::Permission(_)));
        assert_ne!(asks, lesson.texts.files.outside.is_some(), "{}", lesson.id);
        assert_ne!(asks, lesson.texts.bash.danger.is_some(), "{}", lesson.id);
    }
}

#[test]
fn what_the_model_is_told_of_a_tools_arguments_is_what_the_tool_takes() {
    for lesson in lessons() {
        let mut names = BTreeSet::new();
        for tool in &lesson.tools {
            let name = format!("{}: {}", lesson.id, tool.spec.name);
            assert!(names.insert(&tool.spec.name), "{name} twice");
            let schema = &tool.spec.input_schema;
            assert_eq!(schema["type"], "object", "{name}");
            let parameters = &tool.signature.parameters;
            let told: Vec<&String> = schema["properties"].as_object().expect("properties").keys().collect();
            assert_eq!(told, parameters.iter().map(|parameter| &parameter.name).collect::<Vec<_>>(), "{name}");
            let told: Vec<&str> =
                schema["required"].as_array().expect("a list").iter().filter_map(Json::as_str).collect();
            let required = parameters.iter().filter(|parameter| parameter.required);
            assert_eq!(told, required.map(|parameter| parameter.name.as_str()).collect::<Vec<_>>(), "{name}");
        }
    }
}

#[test]
fn no_two_hooks_of_a_lesson_have_one_name() {
    for lesson in lessons() {
        let names: BTreeSet<&String> = lesson.hooks.iter().map(|hook| &hook.name).collect();
        assert_eq!(names.len(), lesson.hooks.len(), "{}", lesson.id);
    }
}

#[test]
fn a_hook_is_on_until_it_is_switched_off_and_says_so_only_then() {
    let text =
        r#"{"name":"a","point":"Stop","rule":{"answer":{"text":"On!","tool":null,"once":false,"until":"plan_done"}}}"#;
    let mut hook = Hook::from_json(serde_json::from_str(text).expect("JSON")).expect("a hook");
    assert!(!hook.off);
    assert_eq!(serde_json::to_string(&hook).expect("a hook is JSON"), text);
    hook.off = true;
    let written = serde_json::to_value(&hook).expect("a hook is JSON");
    assert_eq!(written["off"], true);
    assert_eq!(Hook::from_json(written), Ok(hook));
}

#[test]
fn hooks_look_only_at_tools_that_the_lesson_has() {
    for lesson in lessons() {
        let has = |name: &str| lesson.tools.iter().any(|tool| tool.spec.name == name);
        for hook in &lesson.hooks {
            let named: Vec<&String> = match &hook.rule {
                HookRule::Permission(rules) => rules.path_tools.iter().chain([&rules.command_tool]).collect(),
                HookRule::Answer { tool, .. } => tool.iter().collect(),
                HookRule::Print { .. } | HookRule::Inject { .. } => vec![],
            };
            assert!(named.into_iter().all(|name| has(name)), "{}: {}", lesson.id, hook.name);
        }
    }
}

#[test]
fn every_text_for_readers_is_there_in_both_languages_and_every_other_text_is_there() {
    for lesson in lessons() {
        for language in [Language::En, Language::Zh] {
            let alternatives = lesson.alternatives.iter().flat_map(|one| [&one.title, &one.note]);
            for text in [&lesson.title, &lesson.summary].into_iter().chain(&lesson.prompts).chain(alternatives) {
                assert!(!text.get(language).trim().is_empty(), "{}", lesson.id);
            }
        }
        let json = serde_json::to_value(&lesson).expect("a lesson is JSON");
        for part in ["plan", "texts", "reminder"] {
            assert!(!json[part].to_string().contains("\"\""), "{}: an empty text in {part}", lesson.id);
        }
        assert!(lesson.system.contains("{workdir}"), "{}", lesson.id);
    }
}
