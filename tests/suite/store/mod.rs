//! The store on a real Postgres: what is acknowledged is there, once, in order, and for ever.

mod batches;
mod check;
pub mod days;
mod faults;
mod forever;
mod history;
mod together;
mod writers;
