//! A live endpoint's settings, and what a request to it is sent as. Pure: `platform` does the sending.

use crate::fault::Fault;
use crate::wire::Address;
use crate::wire::anthropic::{self, Auth};
use std::fmt;

/// A key as typed. It lives in memory only and never shows itself: not in a log, a debug print or a fault.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Key(pub String);

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_empty() { "Key(none)" } else { "Key(hidden)" })
    }
}

/// What the reader typed about an endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint {
    /// The base URL, in any of the forms that documentation gives.
    pub base_url: String,
    /// The key; empty for a server that wants none.
    pub key: Key,
    /// The model's name.
    pub model: String,
    /// `max_tokens`; empty for the lesson's.
    pub max_tokens: String,
    /// How the key is sent.
    pub auth: Auth,
    /// Whether `anthropic-version` and the header that lets browsers in are sent. Some local servers refuse headers
    /// that they do not know.
    pub vendor_headers: bool,
}

impl Default for Endpoint {
    fn default() -> Self {
        Self {
            base_url: "https://api.anthropic.com".into(),
            key: Key::default(),
            model: "claude-sonnet-4-5".into(),
            max_tokens: String::new(),
            auth: Auth::XApiKey,
            vendor_headers: true,
        }
    }
}

/// Settings that can be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prepared {
    /// The full URL.
    pub url: String,
    /// The model's name.
    pub model: String,
    /// The reader's `max_tokens`.
    pub max_tokens: Option<u32>,
    /// The cleaned key.
    pub key: Key,
    /// How the key is sent.
    pub auth: Auth,
    /// Whether the vendor's headers are sent.
    pub vendor_headers: bool,
}

impl Prepared {
    /// The headers of a request, the key's among them.
    pub fn headers(&self) -> Vec<(&'static str, String)> {
        anthropic::headers(&self.key.0, self.auth, self.vendor_headers)
    }

    /// What may be shown and logged of where a request goes.
    pub fn address(&self) -> Address {
        let headers = self.headers().into_iter().map(|(name, value)| {
            let secret = matches!(name, "x-api-key" | "authorization");
            (name.to_string(), (!secret).then_some(value))
        });
        Address { url: self.url.clone(), headers: headers.collect() }
    }
}

impl Endpoint {
    /// The scheme and host that requests go to; `None` while the base URL is none. A key belongs to one of these.
    pub fn origin(&self) -> Option<String> {
        let url = anthropic::url(&self.base_url).ok()?;
        let host = url.find("://")? + 3;
        Some(url[..url[host..].find('/').map_or(url.len(), |end| host + end)].to_string())
    }

    /// Checks and cleans what was typed. `Err` is always [`Fault::Settings`], of the first field that is wrong.
    pub fn prepare(&self) -> Result<Prepared, Fault> {
        let settings = |field: &str, rule: &str| Fault::Settings { field: field.into(), rule: rule.into() };
        let url = anthropic::url(&self.base_url)?;
        let model = self.model.trim_matches(anthropic::is_blank);
        // Some servers have names with spaces.
        match anthropic::unseen(model).filter(|rule| *rule != "space") {
            _ if model.is_empty() => return Err(settings("model", "missing")),
            Some(rule) => return Err(settings("model", rule)),
            None => {}
        }
        let key = match self.auth {
            Auth::None => String::new(),
            Auth::XApiKey | Auth::Bearer => anthropic::clean_key(&self.key.0)?,
        };
        let max_tokens = match self.max_tokens.trim() {
            "" => None,
            text => match text.parse::<u32>() {
                Ok(tokens) if tokens > 0 => Some(tokens),
                Err(_) if text.bytes().all(|byte| byte.is_ascii_digit()) => {
                    return Err(settings("max_tokens", "too_large"));
                }
                _ => return Err(settings("max_tokens", "not_a_number")),
            },
        };
        let (auth, vendor_headers) = (self.auth, self.vendor_headers);
        Ok(Prepared { url, model: model.into(), max_tokens, key: Key(key), auth, vendor_headers })
    }
}
