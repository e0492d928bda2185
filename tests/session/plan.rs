//! What plan calls do to the plan.

use super::*;

#[test]
fn a_plan_update_replaces_the_whole_list_and_a_refused_one_changes_nothing() {
    let mut play = begun();
    play.plans(&["completed A", "pending B"]);
    assert_eq!(play.last_message(), ["[x] A\n[ ] B\n\n(1/2 completed)"]);
    play.plans(&["in_progress B"]);
    assert_eq!(play.plan(), ["in_progress B"], "A was not sent again, so it is gone");
    for (refused, why) in [
        (todos(&["in_progress A", "in_progress B"]), "Error: Only one todo can be in_progress at a time"),
        (todos(&["pending A", "doing B"]), "Error: todos[1] has invalid status 'doing'"),
        (json!({}), "Error: run_todo_write() missing 1 required positional argument: 'todos'"),
        (json!({"todos": [], "mode": 1}), "Error: run_todo_write() got an unexpected keyword argument 'mode'"),
        (json!({"todos": vec![json!({"content": "x"}); 21]}), "Error: Max 20 todos allowed"),
    ] {
        play.calls(&[("todo_write", refused)]);
        assert_eq!(play.last_message(), [why]);
        assert_eq!(play.plan(), ["in_progress B"]);
    }
    play.plans(&[]);
    assert_eq!((play.last_message(), play.plan()), (vec!["No todos.".to_string()], vec![]));
}

#[test]
fn the_steps_say_which_call_changed_the_plan_and_which_was_refused() {
    let mut play = begun();
    play.calls(&[
        ("todo_write", todos(&["pending A"])),
        ("todo_write", todos(&["doing A"])),
        ("todo_write", todos(&["completed A"])),
    ]);
    let told: Vec<String> = play
        .steps()
        .filter_map(|step| match step {
            Step::PlanReplaced { call, before, after } => {
                Some(format!("{}: {} items, then {}", call.id, before.items.len(), after.items.len()))
            }
            Step::PlanRejected { call, error } => Some(format!("{}: {error}", call.id)),
            _ => None,
        })
        .collect();
    assert_eq!(told, ["1.0: 0 items, then 1", "1.1: todos[0] has invalid status 'doing'", "1.2: 1 items, then 1"]);
}

#[test]
fn of_several_updates_in_one_reply_the_last_one_stands_and_all_are_answered_in_order() {
    let mut play = begun();
    play.calls(&[("todo_write", todos(&["in_progress A"])), ("todo_write", todos(&["in_progress B"]))]);
    assert_eq!(play.last_message(), ["[>] A\n\n(0/1 completed)", "[>] B\n\n(0/1 completed)"]);
    assert_eq!(play.plan(), ["in_progress B"]);
    let six: Vec<_> =
        ["A", "B", "C", "D", "E", "F"].map(|name| ("todo_write", todos(&[&format!("pending {name}")]))).into();
    play.calls(&six);
    assert_eq!(play.plan(), ["pending F"]);
    assert_eq!(play.steps().filter(|step| matches!(step, Step::PlanReplaced { .. })).count(), 8);
    assert_eq!(play.steps().filter(|step| matches!(step, Step::Counted { .. })).count(), 2, "one round each");
}

/// Whatever a model may send as a plan, biased towards what looks like one.
fn plan_input() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(json!(null)),
        any::<bool>().prop_map(Json::from),
        any::<i64>().prop_map(Json::from),
        "[ a-z\\u{3000}\\u{200b}\\[\\]'{}:,\"]{0,8}".prop_map(Json::from),
        prop_oneof!["pending", "in_progress", "COMPLETED", "doing"].prop_map(Json::from),
    ];
    let item = prop_oneof![
        4 => (leaf.clone(), leaf.clone()).prop_map(|(content, status)| json!({"content": content, "status": status})),
        4 => ("[a-c]{1,3}", prop_oneof!["pending", "in_progress", "completed"])
            .prop_map(|(content, status)| json!({"content": content, "status": status})),
        1 => leaf.clone(),
    ];
    let list = proptest::collection::vec(item, 0..23).prop_map(Json::from);
    prop_oneof![
        6 => list.clone(),
        2 => list.prop_map(|list| list.to_string().into()),
        1 => leaf,
    ]
    .prop_map(|value| json!({"todos": value}))
}

proptest! {
    #[test]
    fn any_update_either_replaces_the_list_by_what_it_says_or_changes_nothing(
        first in plan_input(),
        second in plan_input(),
    ) {
        let mut play = begun();
        play.calls(&[("todo_write", first)]);
        let before = play.session().workspace.plan.clone();
        play.calls(&[("todo_write", second)]);
        let (after, said) = (&play.session().workspace.plan, play.last_message().concat());
        if said.starts_with("Error: ") {
            prop_assert_eq!(&before, after);
        } else {
            let rules = play.session().lesson.plan.as_ref().expect("a plan");
            prop_assert_eq!(after.render(rules), said);
            prop_assert!(after.items.len() <= 20);
            prop_assert!(after.items.iter().all(|item| !item.content.trim().is_empty()));
            prop_assert!(play.plan().iter().filter(|item| item.starts_with("in_progress")).count() <= 1);
        }
        prop_assert_eq!(check_session(play.session()), Ok(()));
    }
}
