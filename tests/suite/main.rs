//! The tests of Wonderpost from outside: one program, so that it is linked once.

mod accounts;
mod browser;
mod cases;
mod chance;
mod cluster;
mod contract;
mod crash;
mod harness;
mod house;
mod http;
mod letters;
mod munchkin_wonderland;
mod post;
mod purity;
mod receiving;
mod recorded;
mod scratch;
mod store;
mod talk;
mod time;
mod we_are_not_amused;
