//! What a call may leave out and add.

use super::*;
use playground::python::Exception;

fn signature(function: &str, required: &[&str], optional: &[&str]) -> Signature {
    let parameter = |required| move |name: &&str| Parameter { name: name.to_string(), required };
    let parameters = required.iter().map(parameter(true)).chain(optional.iter().map(parameter(false))).collect();
    Signature { function: function.to_string(), parameters }
}

#[test]
fn a_call_that_does_not_fit_is_said_as_python_says_it() {
    let bash = signature("run_bash", &["command"], &[]);
    let read = signature("run_read", &["path"], &["limit"]);
    let edit = signature("run_edit", &["path", "old_text", "new_text"], &[]);
    for (signature, input, error) in [
        (&bash, json!({}), "run_bash() missing 1 required positional argument: 'command'"),
        (&read, json!({"limit": 1}), "run_read() missing 1 required positional argument: 'path'"),
        (&edit, json!({"path": "a"}), "run_edit() missing 2 required positional arguments: 'old_text' and 'new_text'"),
        (&edit, json!({}), "run_edit() missing 3 required positional arguments: 'path', 'old_text', and 'new_text'"),
        (&bash, json!({"timeout": 5}), "run_bash() got an unexpected keyword argument 'timeout'"),
        (&edit, json!({"b": 1, "path": "x", "a": 1}), "run_edit() got an unexpected keyword argument 'b'"),
        (&bash, json!({"it's": 1}), "run_bash() got an unexpected keyword argument 'it's'"),
        (&bash, json!(5), "__main__.run_bash() argument after ** must be a mapping, not int"),
        (&bash, json!(null), "__main__.run_bash() argument after ** must be a mapping, not NoneType"),
        (&bash, json!(["x"]), "__main__.run_bash() argument after ** must be a mapping, not list"),
    ] {
        let bound = signature.bind(Binding::Keywords, &input);
        assert_eq!(bound, Err(Exception("TypeError", error.to_string())), "{input}");
    }
}

#[test]
fn where_arguments_are_taken_key_by_key_the_first_that_is_missing_is_named_and_others_are_ignored() {
    let edit = signature("<lambda>", &["path", "old_text", "new_text"], &["limit"]);
    for (input, kind, error) in [
        (json!({}), "KeyError", "'path'"),
        (json!({"new_text": "b", "path": "a", "mode": 1}), "KeyError", "'old_text'"),
        (json!(["x"]), "TypeError", "__main__.<lambda>() argument after ** must be a mapping, not list"),
    ] {
        assert_eq!(edit.bind(Binding::Keys, &input), Err(Exception(kind, error.to_string())), "{input}");
    }
    let input = json!({"path": "a", "old_text": null, "new_text": 5, "mode": 1});
    let bound = edit.bind(Binding::Keys, &input).expect("it fits");
    assert_eq!((bound.required("new_text"), bound.optional("limit")), (&json!(5), None));
}

#[test]
fn a_call_that_fits_hands_its_values_on() {
    let read = signature("run_read", &["path"], &["limit"]);
    let input = json!({"limit": null, "path": 5});
    let bound = read.bind(Binding::Keywords, &input).expect("it fits");
    assert_eq!((bound.required("path"), bound.optional("limit")), (&json!(5), Some(&Json::Null)));
    let input = json!({"path": "a"});
    assert_eq!(read.bind(Binding::Keywords, &input).expect("it fits").optional("limit"), None);
}
