//! What needs a browser and no page of ours: the ports, and the page mounted with ports of the test.

#![cfg(target_arch = "wasm32")]

use playground::language::Language;
use playground::lesson::Lesson;
use playground::lesson::rules::Changes;
use playground::platform::clock::BrowserClock;
use playground::platform::frames::Frames;
use playground::platform::page;
use playground::runtime::{Clock, Command, Snapshot};
use playground::scenario::Scenario;
use playground::timeline::Timeline;
use playground::ui::{App, AppProps, Catalogue, Ports, Theme};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use yew::Callback;

wasm_bindgen_test_configure!(run_in_browser);

#[wasm_bindgen_test]
async fn the_clock_waits_at_least_as_long_as_asked() {
    let clock = BrowserClock::new().expect("a browser has a clock");
    let before = clock.now();
    clock.sleep(30).await;
    assert!(clock.now() - before >= 29.0);
    clock.breathe().await;
}

#[wasm_bindgen_test]
async fn a_hundred_publications_in_a_frame_are_one_render_of_the_last() {
    let clock = BrowserClock::new().expect("a browser has a clock");
    let frames = Frames::<u32>::new();
    let seen = Rc::new(RefCell::new(Vec::new()));
    let log = seen.clone();
    frames.listen(Rc::new(move |value| log.borrow_mut().push(value)));
    for value in 1..=100 {
        frames.publish(value);
    }
    while seen.borrow().is_empty() {
        clock.sleep(5).await;
    }
    assert_eq!(*seen.borrow(), [100]);
}

#[wasm_bindgen_test]
fn the_chosen_language_stands_on_the_document() {
    page::set_language(Language::Zh, "演练场");
    assert_eq!(page::language(), Language::Zh);
    page::set_language(Language::En, "Playground");
    assert_eq!(page::language(), Language::En);
}

#[wasm_bindgen_test]
async fn pressing_run_sends_the_scenarios_prompt_once() {
    let clock = BrowserClock::new().expect("a browser has a clock");
    let document = web_sys::window().and_then(|window| window.document()).expect("a page");
    let root = document.create_element("div").expect("an element");
    document.body().expect("a body").append_child(&root).expect("appended");

    let sent = Rc::new(RefCell::new(Vec::new()));
    let listening = Rc::new(Cell::new(false));
    let ports = Rc::new(Ports {
        send: {
            let sent = sent.clone();
            Callback::from(move |command| {
                if let Command::Submit(prompt) = command {
                    sent.borrow_mut().push(prompt);
                }
            })
        },
        use_model: Callback::noop(),
        listen: {
            let listening = listening.clone();
            Callback::from(move |_: Callback<Snapshot>| listening.set(true))
        },
        set_speed: Callback::noop(),
        set_strict: Callback::noop(),
        play: Callback::noop(),
        set_language: Callback::noop(),
        set_theme: Callback::noop(),
        save: Callback::noop(),
        read_files: Callback::noop(),
        step_key: Callback::noop(),
        copy: Callback::noop(),
        load_scenario: Callback::noop(),
    });
    let catalogue = Rc::new(Catalogue {
        lessons: Lesson::all().expect("lessons").into_iter().map(Rc::new).collect(),
        scenarios: Scenario::list().expect("scenarios"),
    });
    let first = Rc::new(Scenario::first().expect("the first scenario"));
    let timeline = Timeline::new(Catalogue::start(catalogue.lessons[0].clone(), &first, Changes::default()));
    let prompt = first.turns[0].prompt.en.clone();
    let props = AppProps { ports, catalogue, first, language: Language::En, theme: Theme::System, timeline };
    yew::Renderer::<App>::with_root_and_props(root.clone(), props).render();
    while !listening.get() {
        clock.sleep(5).await;
    }

    let run = root.query_selector(".controls .primary").expect("a selector").expect("a Run button");
    assert_eq!(run.text_content().as_deref(), Some("Run"));
    run.unchecked_into::<web_sys::HtmlElement>().click();
    clock.sleep(0).await;
    assert_eq!(*sent.borrow(), [prompt]);
}
