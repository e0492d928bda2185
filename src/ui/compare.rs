//! Compare: two sets of rules on the scenario at hand, played out by the scripted model, side by side and in step.

mod side;
mod words;

use super::shared::{Extra, button};
use super::state::{Action, Play, View, use_page};
use crate::compare::{Aspect, Comparison, Parting, compare};
use crate::runtime::Snapshot;
use crate::timeline::Timeline;
use side::{choices, start};
use std::rc::Rc;
use words::Words;
use yew::prelude::*;

pub(super) fn comparing(view: &Rc<View>, snapshot: &Rc<Snapshot>) -> Html {
    if !view.comparing {
        return html! {};
    }
    let changes = snapshot.timeline.live().rules.clone();
    html! { <Compare view={view.clone()} mine={changes} /> }
}

#[derive(Properties, PartialEq)]
struct Props {
    view: Rc<View>,
    /// The reader's own rules.
    mine: Rc<crate::lesson::rules::Rules>,
}

/// Two runs and what came of comparing them.
#[derive(PartialEq)]
struct Pair {
    runs: [Timeline; 2],
    comparison: Comparison,
}

#[component]
fn Compare(props: &Props) -> Html {
    let page = use_page();
    let view = &props.view;
    let words = words::of(view.language);
    let sides = use_memo((props.mine.clone(), view.lesson, view.language), |_| choices(view, &props.mine, words));
    // The pair that a reader is most likely to ask for: their own changes, else the lesson before.
    let chosen = use_state(|| words::first_pair(&sides));
    let allow = use_state(|| true);
    let pair = use_state(|| None::<Rc<Pair>>);
    let round = use_state(|| 0usize);
    let node = use_node_ref();
    {
        let node = node.clone();
        use_effect_with((), move |()| {
            if let Some(dialog) = node.cast::<web_sys::HtmlDialogElement>() {
                dialog.show_modal().ok();
            }
        });
    }
    {
        let (pair, round, page, sides, view) = (pair.clone(), round.clone(), page.clone(), sides.clone(), view.clone());
        // A run that arrives after the reader chose others has nothing to say any more.
        let wanted = use_mut_ref(|| 0u32);
        use_effect_with((*chosen, *allow), move |&(chosen, allow)| {
            pair.set(None);
            *wanted.borrow_mut() += 1;
            let asked = *wanted.borrow();
            let play = move |side: usize, take: Callback<Timeline>| {
                let Some(side) = sides.get(side) else { return };
                page.ports.play.emit(Play {
                    start: start(&view, side),
                    script: view.script.clone(),
                    strict: view.strict,
                    prompts: view.script.turns.iter().map(|turn| turn.prompt.get(view.language).into()).collect(),
                    allow,
                    take,
                });
            };
            let second = {
                let play = play.clone();
                Callback::from(move |left: Timeline| {
                    let (pair, round, wanted) = (pair.clone(), round.clone(), wanted.clone());
                    play(
                        chosen[1],
                        Callback::from(move |right: Timeline| {
                            if *wanted.borrow() == asked {
                                let comparison = compare(&left, &right);
                                round.set(begin_at(&comparison));
                                pair.set(Some(Rc::new(Pair { runs: [left.clone(), right], comparison })));
                            }
                        }),
                    );
                })
            };
            play(chosen[0], second);
        });
    }
    let close = page.press(Action::Compare(false));
    let onclose = {
        let dispatch = page.dispatch.clone();
        Callback::from(move |_: Event| dispatch.dispatch(Action::Compare(false)))
    };
    let choose = |place: usize| {
        let chosen = chosen.clone();
        Callback::from(move |side: usize| {
            let mut next = *chosen;
            next[place] = side;
            chosen.set(next);
        })
    };
    let names: Vec<&str> = sides.iter().map(|side| side.name.as_str()).collect();
    let set_allow = {
        let allow = allow.clone();
        move |event: Event| allow.set(event.target_unchecked_into::<web_sys::HtmlInputElement>().checked())
    };
    html! {
        <dialog ref={node} class="compare" aria-labelledby="compare-title" {onclose}>
            <header>
                <h2 id="compare-title">{ words.title }</h2>
                { button("", words.close.into(), Extra::default(), close) }
            </header>
            <p class="hint">{ words.intro }</p>
            <div class="presets" role="group" aria-label={words.pairs}>
                { for words::pairs(&sides).into_iter().map(|(left, right)| {
                    let chosen = chosen.clone();
                    let pressed = Extra { pressed: Some(*chosen == [left, right]), ..Extra::default() };
                    let label = (words.against)(&sides[left].short, &sides[right].short);
                    button("", label.into(), pressed, Callback::from(move |_| chosen.set([left, right])))
                }) }
            </div>
            <div class="compare-choices">
                { super::shared::choice("choice", words.left, names.clone(), chosen[0], choose(0)) }
                { super::shared::choice("choice", words.right, names, chosen[1], choose(1)) }
                <label class="check"><input type="checkbox" checked={*allow} onchange={set_allow} /><span>{ words.allow }</span></label>
            </div>
            if let Some(pair) = &*pair {
                { found(pair, words, &round) }
                { side::rounds(pair, *round, [&sides[chosen[0]].name, &sides[chosen[1]].name], words) }
            } else {
                <p class="hint" role="status">{ words.playing }</p>
            }
        </dialog>
    }
}

/// The round to look at first: where the message lists part, else where anything does.
fn begin_at(comparison: &Comparison) -> usize {
    let in_messages = |parting: &&Parting| matches!(parting.aspect, Aspect::Messages { .. });
    let parting = comparison.partings.iter().find(in_messages).or(comparison.partings.first());
    parting.map_or(0, |parting| parting.round)
}

/// Where they part, in sentences, and the rounds to go through.
fn found(pair: &Rc<Pair>, words: &'static Words, round: &UseStateHandle<usize>) -> Html {
    let rounds = pair.comparison.rounds.len();
    let to = |place: usize| {
        let round = round.clone();
        Callback::from(move |_: MouseEvent| round.set(place))
    };
    let slide = {
        let round = round.clone();
        move |event: InputEvent| {
            let value = event.target_unchecked_into::<web_sys::HtmlInputElement>().value_as_number();
            round.set((value as usize).saturating_sub(1));
        }
    };
    html! {
        <>
            <section class="partings" aria-live="polite">
                if pair.comparison.partings.is_empty() { <p>{ words.same }</p> }
                <ol>{ for pair.comparison.partings.iter().enumerate().map(|(i, parting)| html! {
                    <li key={i} class={(i == 0).then_some("first")}>
                        { super::shared::link((words.round)(parting.round + 1).into(), to(parting.round)) }{ ": " }{ (words.parting)(parting.aspect) }
                    </li>
                }) }</ol>
            </section>
            if rounds > 0 {
                <div class="compare-steps">
                    { button("", "←".into(), Extra { name: Some(words.back), disabled: **round == 0, ..Extra::default() }, to(round.saturating_sub(1))) }
                    <input type="range" min="1" max={rounds.to_string()} value={(**round + 1).to_string()} aria-label={words.round_of} oninput={slide} />
                    { button("", "→".into(), Extra { name: Some(words.on), disabled: **round + 1 >= rounds, ..Extra::default() }, to((**round + 1).min(rounds - 1))) }
                    <span class="count">{ (words.round)(**round + 1) }{ " / " }{ rounds }</span>
                </div>
            }
        </>
    }
}
