//! The tests of Wonderpost from outside: one program, so that it is linked once.

#![allow(clippy::unwrap_used)]

mod accounts;
mod api;
mod at_once;
mod browser;
mod cases;
mod chance;
mod checkpoint_shape;
mod cluster;
mod containers;
mod contract;
mod contrast;
mod crash;
mod documents;
mod fuzz_seeds;
mod harness;
mod host;
mod house;
mod http;
mod idempotency;
mod letters;
mod limits;
mod look;
mod many_machines;
mod messenger_rabbits;
mod munchkin_wonderland;
mod one_truth;
mod outage;
mod outsiders;
mod pictures;
mod post;
mod receiving;
mod recorded;
mod refusals;
mod scratch;
mod standing;
mod store;
mod talk;
mod time;
mod two_windows;
mod visit;
mod we_are_not_amused;
