//! The browser, behind the ports of `runtime`: time, network, preferences, downloads, the crash overlay.
//!
//! Knows no page: `ui` and this module never see each other, `bin/app.rs` joins them.

pub mod clock;
pub mod crash;
pub mod fetch;
pub mod frames;
pub mod page;
pub mod worker;
