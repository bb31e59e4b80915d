//! How a player likes the pages of the house.

use serde::{Deserialize, Serialize};

/// Stored as JSON with the player. What is missing or unknown is as if it had never been touched.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PlayerSettings {
    /// Every move that cannot be taken back is shown first and made with a second click; else only grave ones are.
    pub confirm_moves: bool,
    /// The games (their slugs) whose moves are all made with one click.
    pub never_ask: Vec<String>,
    pub four_colour_suits: bool,
    pub theme: Theme,
    /// Whether they were asked what they want to be called.
    pub name_asked: bool,
    /// The lessons that they have finished, as “game/lesson”.
    pub lessons_done: Vec<String>,
    /// The games (their slugs) whose first steps need not be shown any more.
    pub first_steps_read: Vec<String>,
    /// Who may see how they play.
    pub page_shown: PageShown,
}

/// Who may see a player's page: what they have played, their ratings and their pace.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PageShown {
    Everybody,
    /// Those with whom they have shared a table.
    #[default]
    Tablemates,
    Nobody,
}

#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Theme {
    /// As the reader's machine has it.
    #[default]
    System,
    Light,
    Dark,
}

impl Default for PlayerSettings {
    fn default() -> PlayerSettings {
        PlayerSettings {
            confirm_moves: false,
            never_ask: Vec::new(),
            four_colour_suits: false,
            theme: Theme::System,
            name_asked: false,
            lessons_done: Vec::new(),
            first_steps_read: Vec::new(),
            page_shown: PageShown::Tablemates,
        }
    }
}

impl PlayerSettings {
    /// Reads what is stored.
    pub fn read(json: &str) -> PlayerSettings {
        serde_json::from_str(json).unwrap_or_default()
    }

    pub fn write(&self) -> String {
        serde_json::to_string(self).expect("settings are plain data")
    }
}

impl Theme {
    /// The theme that pages are to have whatever the reader's machine says.
    pub const fn forced(self) -> Option<&'static str> {
        match self {
            Theme::System => None,
            Theme::Light => Some("light"),
            Theme::Dark => Some("dark"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_never_set_is_the_default() {
        assert_eq!(PlayerSettings::read("{}"), PlayerSettings::default());
        let dark = PlayerSettings::read(r#"{"theme":"dark","hat":"tall"}"#);
        assert_eq!(dark, PlayerSettings { theme: Theme::Dark, ..PlayerSettings::default() });
        assert_eq!(PlayerSettings::read(&dark.write()), dark);
    }
}
