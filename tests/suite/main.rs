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
mod messenger_rabbits;
mod munchkin_wonderland;
mod purity;
mod recorded;
mod scratch;
mod store;
mod two_windows;
mod we_are_not_amused;
