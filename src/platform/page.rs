//! What the page keeps and gives: preferences, the document's language and theme, downloads.

use crate::language::Language;
use wasm_bindgen::prelude::{Closure, wasm_bindgen};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

#[wasm_bindgen]
extern "C" {
    /// Copies a text to the clipboard and says whether that worked. Written in `www/boot.js`, which knows what to do where
    /// a page has no clipboard.
    #[wasm_bindgen(js_name = copyText)]
    pub fn copy(text: &str);
}

fn root() -> Option<web_sys::Element> {
    web_sys::window()?.document()?.document_element()
}

fn storage() -> Option<web_sys::Storage> {
    // Asking throws where storage is denied; the page goes on without.
    web_sys::window()?.local_storage().ok().flatten()
}

/// The language that the page starts in: the one that `boot.js` wrote on the document before the first paint.
pub fn language() -> Language {
    match root().and_then(|root| root.get_attribute("lang")) {
        Some(tag) if tag.starts_with("zh") => Language::Zh,
        _ => Language::En,
    }
}

/// The theme that the page starts in: `light`, `dark`, or `None` for the system's.
pub fn theme() -> Option<String> {
    root()?.get_attribute("data-theme")
}

/// Shows the page in a language and under a title, and keeps the choice.
pub fn set_language(language: Language, title: &str) {
    if let Some(root) = root() {
        root.set_attribute("lang", language.tag()).ok();
    }
    if let Some(document) = web_sys::window().and_then(|window| window.document()) {
        document.set_title(title);
    }
    keep("language", Some(language.tag()));
}

/// Shows the page in a theme and keeps the choice; `None` is the system's.
pub fn set_theme(theme: Option<&str>) {
    if let Some(root) = root() {
        match theme {
            Some(theme) => root.set_attribute("data-theme", theme).ok(),
            None => root.remove_attribute("data-theme").ok(),
        };
    }
    keep("theme", theme);
}

fn keep(name: &str, value: Option<&str>) {
    if let Some(storage) = storage() {
        let name = format!("todowrite-playground.{name}");
        match value {
            Some(value) => storage.set_item(&name, value).ok(),
            None => storage.remove_item(&name).ok(),
        };
    }
}

/// Does something whenever a key is pressed, wherever the focus is, for as long as the page is open.
pub fn on_key(key: &'static str, mut action: impl FnMut() + 'static) {
    let listener = Closure::<dyn FnMut(web_sys::KeyboardEvent)>::new(move |event: web_sys::KeyboardEvent| {
        if event.key() == key {
            event.prevent_default();
            action();
        }
    });
    if let Some(window) = web_sys::window() {
        window.add_event_listener_with_callback("keydown", listener.as_ref().unchecked_ref()).ok();
    }
    listener.forget();
}

/// Reads files that the reader gave. `Err` is the name of one that cannot be read, such as a folder.
pub fn read(files: &web_sys::FileList) -> impl Future<Output = Result<Vec<(String, Vec<u8>)>, String>> + use<> {
    // The list is empty again as soon as the field is, or the drop is over.
    let files: Vec<web_sys::File> = (0..files.length()).filter_map(|i| files.item(i)).collect();
    async move {
        let mut read = Vec::new();
        for file in files {
            let bytes = JsFuture::from(file.array_buffer()).await.map_err(|_| file.name())?;
            read.push((file.name(), js_sys::Uint8Array::new(&bytes).to_vec()));
        }
        Ok(read)
    }
}

/// Offers bytes as a file to save.
pub fn save(name: &str, bytes: &[u8]) -> Result<(), JsValue> {
    let url = url(&js_sys::Uint8Array::from(bytes).into(), "application/octet-stream")?;
    let document = web_sys::window().and_then(|window| window.document()).ok_or(JsValue::NULL)?;
    let link: web_sys::HtmlAnchorElement = document.create_element("a")?.unchecked_into();
    link.set_href(&url);
    link.set_download(name);
    link.click();
    web_sys::Url::revoke_object_url(&url)
}

/// An address that gives a text, for as long as the page is open.
pub(super) fn text_url(text: &str) -> Result<String, JsValue> {
    url(&text.into(), "application/x-ndjson")
}

fn url(part: &JsValue, kind: &str) -> Result<String, JsValue> {
    let options = web_sys::BlobPropertyBag::new();
    options.set_type(kind);
    // The part is a text or bytes, and a sequence of either is the same thing to the browser.
    let blob = web_sys::Blob::new_with_str_sequence_and_options(&js_sys::Array::of1(part), &options)?;
    web_sys::Url::create_object_url_with_blob(&blob)
}
