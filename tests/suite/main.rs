//! The tests of Wonderpost from outside: one program, so that it is linked once.

mod cases;
mod chance;
mod cluster;
mod contract;
mod purity;
mod recorded;
mod scratch;
mod we_are_not_amused;
