//! The two languages of everything a reader sees, and text that exists in both.

use crate::data::record;
use serde::Serialize;

/// A reader's language.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// English.
    #[default]
    En,
    /// Simplified Chinese.
    Zh,
}

impl Language {
    /// The BCP 47 tag for `lang` attributes.
    pub fn tag(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Zh => "zh-CN",
        }
    }
}

/// A text in both languages. There is no way to have it in one only.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Bilingual {
    /// English.
    pub en: String,
    /// Simplified Chinese.
    pub zh: String,
}

record!(Bilingual { en, zh });

impl Bilingual {
    /// The text for a reader of `language`.
    pub fn get(&self, language: Language) -> &str {
        match language {
            Language::En => &self.en,
            Language::Zh => &self.zh,
        }
    }
}
