//! The tests of Wonderpost from outside: one program, so that it is linked once.

mod cluster;
mod scratch;
