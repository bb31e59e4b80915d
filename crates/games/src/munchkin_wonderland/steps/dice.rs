//! Throwing dice.

use super::Record;
use wonderpost_rules::Refusal;

/// The sides of a die.
const SIDES: u32 = 6;

/// Throws one die.
pub fn roll(record: &mut Record) -> Result<u8, Refusal> {
    Ok(throw(record, 1)?.first().copied().unwrap_or(1))
}

/// Throws so many dice together.
pub fn throw(record: &mut Record, dice: usize) -> Result<Vec<u8>, Refusal> {
    let faces = record.roll(dice, SIDES)?;
    Ok(faces.into_iter().map(|face| face.min(SIDES) as u8).collect())
}
