//! The service from outside, over HTTP.

mod faults;
mod forms;
mod headers;
mod pages;
mod secrets;
