//! The map of modules, in groups: a module uses those of the groups above its own, and of its own group those that
//! `tests/boundaries.rs` names, never in a circle.
//!
//! values → wire, tools → agent → timeline → runtime → platform; the page (`ui`) reads timeline, agent and values and
//! sends commands. `platform` and `ui` know the browser and never each other; `bin/app.rs` joins them.

// Values
pub mod data;
pub mod fault;
pub mod language;
pub mod message;
pub mod plan;
pub mod python;
pub mod vfs;
pub mod workspace;

// What the values travel through
pub mod tools;
pub mod wire;

// The lesson and its loop
pub mod agent;
pub mod compare;
pub mod console;
pub mod drawing;
pub mod gates;
pub mod lesson;
pub mod scenario;
pub mod timeline;

// Performing effects
pub mod runtime;

// Running commands for real
#[cfg(feature = "shell")]
pub mod shell;

// The browser
#[cfg(feature = "web")]
pub mod platform;
#[cfg(feature = "web")]
pub mod ui;
