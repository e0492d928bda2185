//! How a Python function takes a call's input.
//!
//! Owns the two ways of binding and CPython's sentences about them. Knows no tool: which function has which parameters is the lesson's.

use crate::data::{record, words};
use crate::message::{Fields, Json};
use crate::python::{Exception, Value};
use serde::Serialize;

/// A parameter of a function.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Whether it has no default.
    pub required: bool,
}

record!(Parameter { name, required });

/// How a call's input reaches a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Binding {
    /// As keyword arguments, `function(**input)`: a name that it does not have is an error, as is one that it misses.
    Keywords,
    /// Key by key, `input["key"]`: what it does not ask for is ignored.
    Keys,
}

words!(Binding { "keywords" => Keywords, "keys" => Keys });

/// A function's name and parameters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Signature {
    /// The function as Python names it in errors.
    pub function: String,
    /// Its parameters, in order.
    pub parameters: Vec<Parameter>,
}

record!(Signature { function, parameters });

/// A call's input, bound to a signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arguments<'a>(&'a Fields);

impl Signature {
    /// Binds a call's input. `Err` is CPython's exception, of which there is one however much is wrong: a name that the
    /// function does not have comes before one that it misses.
    pub fn bind<'a>(&self, binding: Binding, input: &'a Json) -> Result<Arguments<'a>, Exception> {
        let function = &self.function;
        let wrong = |text: String| Err(Exception("TypeError", text));
        let Json::Object(fields) = input else {
            // The lesson is a script, so its module is `__main__`; this one sentence of CPython's names it.
            let kind = Value::from(input).type_name();
            return wrong(format!("__main__.{function}() argument after ** must be a mapping, not {kind}"));
        };
        let required = self.parameters.iter().filter(|parameter| parameter.required);
        let mut missing = required.filter(|parameter| !fields.contains_key(&parameter.name));
        if binding == Binding::Keys {
            return match missing.next() {
                Some(parameter) => Err(Exception("KeyError", format!("'{}'", parameter.name))),
                None => Ok(Arguments(fields)),
            };
        }
        let is_known = |name: &str| self.parameters.iter().any(|parameter| parameter.name == name);
        if let Some(name) = fields.keys().find(|name| !is_known(name)) {
            return wrong(format!("{function}() got an unexpected keyword argument '{name}'"));
        }
        let missing: Vec<String> = missing.map(|parameter| format!("'{}'", parameter.name)).collect();
        let names = match missing.as_slice() {
            [] => return Ok(Arguments(fields)),
            [name] => name.clone(),
            [first, second] => format!("{first} and {second}"),
            [firsts @ .., last] => format!("{}, and {last}", firsts.join(", ")),
        };
        let count = missing.len();
        let plural = if count == 1 { "" } else { "s" };
        wrong(format!("{function}() missing {count} required positional argument{plural}: {names}"))
    }
}

impl<'a> Arguments<'a> {
    /// The value of a parameter that the signature requires.
    pub fn required(&self, name: &str) -> &'a Json {
        self.optional(name).unwrap_or(&Json::Null)
    }

    /// The value of a parameter, if the call has it.
    pub fn optional(&self, name: &str) -> Option<&'a Json> {
        self.0.get(name)
    }
}
