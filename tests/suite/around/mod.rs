//! The pages around the tables: opening, inviting, playing again, the desk, one's own page.

mod after;
mod desk;
mod hosting;
mod invitations;
mod names;
mod opening;
mod rematch;
mod rules;
mod zone;
