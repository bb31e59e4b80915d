//! Tables: their events, lists of them, and what belongs to them.

pub mod absences;
pub mod analyses;
pub mod append;
pub mod archive;
pub mod days;
pub mod events;
pub mod glance;
pub mod invitations;
pub mod lists;
pub mod looks;
pub mod moves;
pub mod notes;
pub mod plans;
pub mod results;
pub mod snapshots;
pub mod talk;
pub mod talk_reports;
