//! Replies: whole games by letter, the ways in, who may, what is read, and letters that come back.

mod bounces;
mod doors;
mod fixtures;
mod games;
mod invited;
mod known;
mod proposals;
mod reader;
mod refusing;
mod replies;
mod visits;
mod who;
