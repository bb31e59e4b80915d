//! The tests of Wonderpost from outside: one program, so that it is linked once.

mod accounts;
mod at_once;
mod browser;
mod cases;
mod chance;
mod cluster;
mod contract;
mod contrast;
mod crash;
mod harness;
mod house;
mod http;
mod letters;
mod look;
mod munchkin_wonderland;
mod outsiders;
mod purity;
mod recorded;
mod scratch;
mod store;
mod visit;
mod we_are_not_amused;
