//! A page that says hello.

use yew::prelude::*;

#[component]
fn App() -> Html {
    html! { <h1>{ "Hello, world!" }</h1> }
}

fn main() {
    yew::Renderer::<App>::new().render();
}
