//! The tests of Wonderpost from outside: one program, so that it is linked once.

mod cases;
mod cluster;
mod crash;
mod harness;
mod http;
mod scratch;
mod store;
