//! Replies: whole games by letter, the ways in, who may, what is read, and letters that come back.

mod bounces;
mod doors;
mod games;
mod known;
mod reader;
mod refusing;
mod replies;
mod visits;
mod who;
