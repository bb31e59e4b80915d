//! The post: what letters say, under which names they go, when, and what becomes of them when something breaks.

mod calls;
mod dead;
mod faults;
mod gathering;
mod killed;
mod notices;
mod signature;
mod stories;
mod threads;
mod webhooks;
mod when;
