//! A game in the catalogue.

use serde_json::Value;

use super::typed_position::TypedPosition;
use super::{Game, Position};
use crate::{
    Catalogued, DailyGame, GameInfo, GameOptions, Help, OptionGroup, OptionSpec, Preset, Refusal, Showpiece, begin,
    read_options,
};

/// A typed game as an entry of the catalogue.
pub struct Entry<R>(std::marker::PhantomData<fn() -> R>);

impl<R> Entry<R> {
    /// The entry of the game `R`.
    pub const fn new() -> Entry<R> {
        Entry(std::marker::PhantomData)
    }
}

impl<R> Default for Entry<R> {
    fn default() -> Entry<R> {
        Entry::new()
    }
}

impl<R: Catalogued> Game for Entry<R> {
    fn info(&self) -> &'static GameInfo {
        &R::GAME
    }

    fn how_to_play(&self) -> &'static str {
        R::HOW_TO_PLAY
    }

    fn examples(&self) -> &'static [(&'static str, &'static str)] {
        R::EXAMPLES
    }

    fn stylesheet(&self) -> &'static str {
        R::STYLESHEET
    }

    fn help(&self) -> Option<&'static Help> {
        const { &R::HELP }.as_ref()
    }

    fn symbols(&self) -> Vec<&'static str> {
        R::symbols()
    }

    fn preset_plans(&self) -> Option<&'static str> {
        R::PRESET_PLANS
    }

    fn daily(&self) -> Option<&'static DailyGame> {
        const { &R::DAILY }.as_ref()
    }

    fn options(&self) -> &'static [OptionSpec] {
        R::Options::SPECS
    }

    fn option_groups(&self) -> &'static [OptionGroup] {
        R::Options::GROUPS
    }

    fn presets(&self) -> &'static [Preset] {
        R::Options::PRESETS
    }

    fn has_calls(&self) -> bool {
        R::CALLS
    }

    fn default_options(&self) -> Value {
        serde_json::to_value(R::Options::default()).expect("options are plain data")
    }

    fn complete_options(&self, given: &Value) -> Result<Value, Refusal> {
        let options: R::Options = read_options(given)?;
        Ok(serde_json::to_value(options).expect("options are plain data"))
    }

    fn begin(&self, options: &Value, seats: u8) -> Result<Box<dyn Position>, Refusal> {
        Ok(Box::new(TypedPosition(begin::<R>(read_options(options)?, seats)?)))
    }

    fn example(&self) -> Result<Box<dyn Position>, Refusal> {
        let showpiece: &Showpiece = const { &R::SHOWPIECE };
        Ok(Box::new(TypedPosition(showpiece.play::<R>()?)))
    }

    fn restore(&self, snapshot: &str) -> Option<Box<dyn Position>> {
        let state: R = serde_json::from_str(snapshot).ok()?;
        Some(Box::new(TypedPosition(state)))
    }
}
