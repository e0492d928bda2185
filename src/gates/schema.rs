//! A value against a JSON Schema, as far as tools' schemas go.
//!
//! Three kept libraries were measured for this one tab (release, opt-level z, after wasm-opt, brotli 11; what each adds to a
//! program that has serde_json): jsonschema 0.61 449 kB, boon 0.6 299 kB, jsonschema-valid 0.5 166 kB. The whole page is
//! 246 kB. So the keywords that tools use are read here, a keyword that is not read is named instead of being passed over,
//! and `tests/gates/schema.json` holds verdicts of jsonschema 0.61.2 that these have to equal. (30,000 more were compared once:
//! equal, but for `additionalProperties: false` beside `required`, where that version takes a name that is there for missing.)

use crate::message::{Fields, Json};

/// A keyword that a value does not satisfy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// Where in the value, as the names and places on the way there.
    pub path: Vec<String>,
    /// The keyword.
    pub keyword: String,
    /// What it stands for in the schema; of `required` the one name that is missing, of `additionalProperties: false` the one
    /// that is too many.
    pub wanted: Json,
}

/// What a schema says of a value.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Verdict {
    /// What is wrong; nothing, where the value is valid as far as the keywords are known.
    pub violations: Vec<Violation>,
    /// Keywords that were met on the way and are not judged here, none twice.
    pub unknown: Vec<String>,
}

/// Holds a value against a schema.
pub fn validate(schema: &Json, value: &Json) -> Verdict {
    let mut verdict = Verdict::default();
    judge(schema, value, &mut Vec::new(), &mut verdict);
    verdict
}

/// Keywords that tell and don't ask.
const NOTES: [&str; 11] = [
    "title",
    "description",
    "default",
    "examples",
    "deprecated",
    "readOnly",
    "writeOnly",
    "format",
    "$schema",
    "$id",
    "$comment",
];

fn judge(schema: &Json, value: &Json, path: &mut Vec<String>, verdict: &mut Verdict) {
    let rules = match schema {
        Json::Object(rules) => rules,
        Json::Bool(false) => return violate(verdict, path, "false", Json::Bool(false)),
        _ => return,
    };
    for (keyword, wanted) in rules {
        let known = match value {
            _ if NOTES.contains(&keyword.as_str()) => true,
            Json::Array(items) if list(keyword, wanted, items, path, verdict) => true,
            Json::Object(fields) if object(keyword, wanted, fields, rules, path, verdict) => true,
            _ => match holds(keyword, wanted, value) {
                Some(holds) => {
                    if !holds {
                        violate(verdict, path, keyword, wanted.clone());
                    }
                    true
                }
                // Of lists and objects alone; this value is neither, or was judged already.
                None => ["items", "properties", "required", "additionalProperties"].contains(&keyword.as_str()),
            },
        };
        if !known && !verdict.unknown.contains(keyword) {
            verdict.unknown.push(keyword.clone());
        }
    }
}

fn violate(verdict: &mut Verdict, path: &[String], keyword: &str, wanted: Json) {
    verdict.violations.push(Violation { path: path.to_vec(), keyword: keyword.into(), wanted });
}

/// A keyword that leads into a list. Returns whether it is one.
fn list(keyword: &str, wanted: &Json, items: &[Json], path: &mut Vec<String>, verdict: &mut Verdict) -> bool {
    if keyword != "items" {
        return false;
    }
    for (i, item) in items.iter().enumerate() {
        path.push(i.to_string());
        judge(wanted, item, path, verdict);
        path.pop();
    }
    true
}

/// A keyword that leads into an object. Returns whether it is one.
fn object(
    keyword: &str,
    wanted: &Json,
    fields: &Fields,
    rules: &Fields,
    path: &mut Vec<String>,
    verdict: &mut Verdict,
) -> bool {
    let properties = rules.get("properties").and_then(Json::as_object);
    match keyword {
        "properties" => {
            for (name, schema) in properties.into_iter().flatten() {
                let Some(value) = fields.get(name) else { continue };
                path.push(name.clone());
                judge(schema, value, path, verdict);
                path.pop();
            }
        }
        "required" => {
            let names = wanted.as_array().into_iter().flatten().filter_map(Json::as_str);
            for name in names.filter(|name| !fields.contains_key(*name)) {
                violate(verdict, path, keyword, name.into());
            }
        }
        // What these cover is known only by their patterns, which are not read.
        "additionalProperties" if !rules.contains_key("patternProperties") => {
            for (name, value) in fields {
                if properties.is_some_and(|known| known.contains_key(name)) {
                    continue;
                }
                if *wanted == Json::Bool(false) {
                    violate(verdict, path, keyword, name.as_str().into());
                    continue;
                }
                path.push(name.clone());
                judge(wanted, value, path, verdict);
                path.pop();
            }
        }
        _ => return false,
    }
    true
}

/// Whether a value satisfies a keyword that looks at nothing inside; none for any other keyword.
fn holds(keyword: &str, wanted: &Json, value: &Json) -> Option<bool> {
    let limit = wanted.as_f64().unwrap_or_default();
    // A limit concerns one kind of value, and holds for all others.
    let at_least = |size: Option<f64>| Some(size.is_none_or(|size| size >= limit));
    let at_most = |size: Option<f64>| Some(size.is_none_or(|size| size <= limit));
    let items = || value.as_array().map(|items| items.len() as f64);
    let characters = || value.as_str().map(|text| text.chars().count() as f64);
    let fields = || value.as_object().map(|fields| fields.len() as f64);
    match keyword {
        "type" => Some(match wanted {
            Json::Array(types) => types.iter().any(|kind| is_a(value, kind)),
            kind => is_a(value, kind),
        }),
        "enum" => Some(wanted.as_array().is_some_and(|values| values.iter().any(|one| same(one, value)))),
        "const" => Some(same(wanted, value)),
        "minItems" => at_least(items()),
        "maxItems" => at_most(items()),
        "minLength" => at_least(characters()),
        "maxLength" => at_most(characters()),
        "minProperties" => at_least(fields()),
        "maxProperties" => at_most(fields()),
        "minimum" => at_least(value.as_f64()),
        "maximum" => at_most(value.as_f64()),
        _ => None,
    }
}

fn is_a(value: &Json, kind: &Json) -> bool {
    match kind.as_str().unwrap_or_default() {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "number" => value.is_number(),
        // 1.0 is a whole number, too.
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => false,
    }
}

/// Whether two values are the same to a schema, to which 1 and 1.0 are.
fn same(one: &Json, other: &Json) -> bool {
    match (one, other) {
        (Json::Number(one), Json::Number(other)) => one == other || one.as_f64() == other.as_f64(),
        (Json::Array(one), Json::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Json::Object(one), Json::Object(other)) => {
            let equal = |(name, value)| other.get(name).is_some_and(|other| same(value, other));
            one.len() == other.len() && one.iter().all(equal)
        }
        _ => one == other,
    }
}
