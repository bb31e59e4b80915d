//! The service from outside, over HTTP.

mod doors;
mod faults;
mod forms;
mod headers;
mod http10;
mod pages;
mod secrets;
mod slow_clients;
mod stopping;
