//! The composition root: gives the page's driver its ports, and the page its driver.

#[path = "app/later.rs"]
mod later;

use futures_util::stream;
use later::{LaterEndpoint, LaterShell, MaybeStrict};
use playground::lesson::Lesson;
use playground::lesson::rules::Changes;
use playground::platform::clock::BrowserClock;
use playground::platform::fetch;
use playground::platform::frames::Frames;
use playground::platform::{crash, page};
use playground::runtime::scripted::{Scripted, Speed};
use playground::runtime::{Clock, Command, Driver, Snapshot, Transport};
use playground::scenario::Scenario;
use playground::timeline::Timeline;
use playground::ui::{App, AppProps, Catalogue, Play, Ports, ScenarioLoaded, Source, Theme};
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;
use std::task::{Poll, Waker};
use yew::Callback;

#[global_allocator]
static ALLOCATOR: rlsf::GlobalTlsf = rlsf::GlobalTlsf::new();

fn main() {
    crash::install();
    yew::set_custom_panic_hook(Box::new(crash::show));
    wasm_bindgen_futures::spawn_local(start());
}

async fn start() {
    let catalogue = Rc::new(Catalogue {
        lessons: Lesson::all().expect("a test reads every lesson").into_iter().map(Rc::new).collect(),
        scenarios: Scenario::list().expect("a test reads the list"),
    });
    let first = Rc::new(Scenario::first().expect("a test reads it"));
    let clock: Rc<dyn Clock> = Rc::new(BrowserClock::new().expect("every browser has a clock"));
    let speed = Rc::new(Cell::new(Speed::default()));
    let strict = Rc::new(Cell::new(false));
    let frames = Frames::<Snapshot>::new();
    let mailbox = Rc::new(Mailbox::default());

    let scripted = {
        let (speed, strict, clock) = (speed.clone(), strict.clone(), clock.clone());
        Rc::new(move |scenario: Rc<Scenario>| -> Rc<dyn Transport> {
            let model = Rc::new(Scripted::new(scenario, speed.clone(), clock.clone()));
            Rc::new(MaybeStrict { model, strict: strict.clone() })
        })
    };
    let ports = Rc::new(Ports {
        send: {
            let mailbox = mailbox.clone();
            Callback::from(move |command| mailbox.post(command))
        },
        use_model: {
            let (mailbox, scripted) = (mailbox.clone(), scripted.clone());
            Callback::from(move |source| {
                mailbox.post(match source {
                    Source::Scripted(scenario) => Command::UseModel {
                        model: Scripted::MODEL.into(),
                        max_tokens: None,
                        address: None,
                        transport: scripted(scenario),
                    },
                    Source::Endpoint(endpoint) => Command::UseModel {
                        model: endpoint.model.clone(),
                        max_tokens: endpoint.max_tokens,
                        address: Some(Rc::new(endpoint.address())),
                        transport: Rc::new(LaterEndpoint(endpoint)),
                    },
                });
            })
        },
        listen: {
            let frames = frames.clone();
            Callback::from(move |receiver: Callback<Snapshot>| {
                frames.listen(Rc::new(move |snapshot| receiver.emit(snapshot)));
            })
        },
        set_speed: {
            let speed = speed.clone();
            Callback::from(move |chosen| speed.set(chosen))
        },
        set_strict: Callback::from(move |chosen| strict.set(chosen)),
        play: {
            let clock = clock.clone();
            Callback::from(move |play: Play| {
                let model = Rc::new(Scripted::new(play.script, Rc::new(Cell::new(Speed::Instant)), clock.clone()));
                let transport = Rc::new(MaybeStrict { model, strict: Rc::new(Cell::new(play.strict)) });
                let driver = Driver::new(play.start, transport, Rc::new(LaterShell::default()), clock.clone());
                wasm_bindgen_futures::spawn_local(async move {
                    play.take.emit(driver.play_out(play.prompts, play.allow).await);
                });
            })
        },
        set_language: Callback::from(|(language, title)| page::set_language(language, title)),
        set_theme: Callback::from(|theme: Theme| page::set_theme(theme.name())),
        save: Callback::from(|(name, bytes): (String, Vec<u8>)| {
            page::save(&name, &bytes).ok();
        }),
        read_files: Callback::from(|(files, take): (_, Callback<_>)| {
            let read = page::read(&files);
            wasm_bindgen_futures::spawn_local(async move { take.emit(read.await) });
        }),
        step_key: Callback::from(|step: Callback<()>| page::on_key("F8", move || step.emit(()))),
        copy: Callback::from(|text: String| page::copy(&text)),
        load_scenario: {
            let first = first.clone();
            Callback::from(move |(id, take): (String, Callback<ScenarioLoaded>)| {
                if id == first.id {
                    return take.emit(Ok(first.clone()));
                }
                wasm_bindgen_futures::spawn_local(async move {
                    let file = fetch::text(&format!("./scenario/{id}.json")).await;
                    take.emit(file.and_then(|file| Scenario::read(&file)).map(Rc::new));
                });
            })
        },
    });

    let (lesson, scenario) = (catalogue.lessons[0].clone(), first.clone());
    let timeline = Timeline::new(Catalogue::start(lesson, &scenario, Changes::default()));
    crash::remember(timeline.clone());
    let shell = Rc::new(LaterShell::default());
    let driver = Driver::new(timeline.clone(), scripted(scenario.clone()), shell, clock.clone());
    ports.use_model.emit(Source::Scripted(scenario));
    wasm_bindgen_futures::spawn_local(driver.run(mailbox.commands(), move |snapshot| {
        crash::remember(snapshot.timeline.clone());
        frames.publish(snapshot);
    }));

    // What is done so far and the first drawing are each a task of their own: input gets its turn in between.
    clock.sleep(0).await;
    let root = web_sys::window()
        .and_then(|window| window.document())
        .and_then(|document| document.get_element_by_id("app"))
        .expect("index.html has the element #app");
    let (language, theme) = (page::language(), Theme::from_name(page::theme().as_deref()));
    yew::Renderer::<App>::with_root_and_props(root, AppProps { ports, catalogue, first, language, theme, timeline })
        .render();
}

/// Commands on their way from the page to the driver.
#[derive(Default)]
struct Mailbox {
    commands: RefCell<VecDeque<Command>>,
    waker: RefCell<Option<Waker>>,
}

impl Mailbox {
    fn post(&self, command: Command) {
        self.commands.borrow_mut().push_back(command);
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
    }

    fn commands(self: Rc<Self>) -> impl futures_core::Stream<Item = Command> {
        stream::poll_fn(move |context| match self.commands.borrow_mut().pop_front() {
            Some(command) => Poll::Ready(Some(command)),
            None => {
                self.waker.replace(Some(context.waker().clone()));
                Poll::Pending
            }
        })
    }
}
