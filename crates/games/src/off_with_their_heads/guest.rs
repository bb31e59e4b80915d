//! OWH-29: the seven who come to tea.

use serde::Serialize;

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Guest {
    Caterpillar,
    HumptyDumpty,
    CheshireCat,
    WhiteRabbit,
    Dormouse,
    MadHatter,
    MarchHare,
}

impl Guest {
    pub const ALL: [Guest; 7] = [
        Guest::Caterpillar,
        Guest::HumptyDumpty,
        Guest::CheshireCat,
        Guest::WhiteRabbit,
        Guest::Dormouse,
        Guest::MadHatter,
        Guest::MarchHare,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Guest::Caterpillar => "Caterpillar",
            Guest::HumptyDumpty => "Humpty Dumpty",
            Guest::CheshireCat => "Cheshire Cat",
            Guest::WhiteRabbit => "White Rabbit",
            Guest::Dormouse => "Dormouse",
            Guest::MadHatter => "Mad Hatter",
            Guest::MarchHare => "March Hare",
        }
    }

    /// As a sentence begins with it.
    pub const fn title(self) -> &'static str {
        match self {
            Guest::Caterpillar => "The Caterpillar",
            Guest::HumptyDumpty => "Humpty Dumpty",
            Guest::CheshireCat => "The Cheshire Cat",
            Guest::WhiteRabbit => "The White Rabbit",
            Guest::Dormouse => "The Dormouse",
            Guest::MadHatter => "The Mad Hatter",
            Guest::MarchHare => "The March Hare",
        }
    }

    /// What it takes, in a few words.
    pub const fn wants(self) -> &'static str {
        match self {
            Guest::Caterpillar => "a mushroom painted full",
            Guest::HumptyDumpty => "his cell in the Keep, a2",
            Guest::CheshireCat => "a mark in three mushrooms",
            Guest::WhiteRabbit => "his cell in the Keep, g4",
            Guest::Dormouse => "the four two-coloured trees",
            Guest::MadHatter => "four teacups gained",
            Guest::MarchHare => "the trees round his circle",
        }
    }
}

/// Some of the guests; iterates in the order of the table and is written as a list.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct GuestSet(u8);

impl GuestSet {
    pub const fn contains(self, guest: Guest) -> bool {
        self.0 >> guest as u8 & 1 == 1
    }

    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn iter(self) -> impl Iterator<Item = Guest> {
        Guest::ALL.into_iter().filter(move |guest| self.contains(*guest))
    }
}

impl FromIterator<Guest> for GuestSet {
    fn from_iter<I: IntoIterator<Item = Guest>>(guests: I) -> GuestSet {
        GuestSet(guests.into_iter().fold(0, |set, guest| set | 1 << guest as u8))
    }
}

impl Serialize for GuestSet {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}
