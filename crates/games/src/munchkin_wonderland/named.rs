//! Things of the tables go by their ids: in moves, in views, in stored events.

/// Writes and reads a numbered thing by its id.
macro_rules! goes_by_its_id {
    ($thing:ident, $what:literal) => {
        impl std::fmt::Display for $thing {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.id())
            }
        }

        impl std::fmt::Debug for $thing {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.id())
            }
        }

        impl std::str::FromStr for $thing {
            type Err = wonderpost_rules::Refusal;

            fn from_str(text: &str) -> Result<$thing, wonderpost_rules::Refusal> {
                let found = $thing::all().find(|thing| thing.id() == text);
                found.ok_or_else(|| wonderpost_rules::Refusal::new(format!("“{text}” is no {}.", $what)))
            }
        }

        impl serde::Serialize for $thing {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.id())
            }
        }

        impl<'de> serde::Deserialize<'de> for $thing {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<$thing, D::Error> {
                let id = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
                id.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

pub(super) use goes_by_its_id;

/// A title as it stands within a sentence: “the Duchess”, “a Teacup”.
pub fn within(title: &str) -> String {
    for (capital, small) in [("The ", "the "), ("A ", "a ")] {
        if let Some(rest) = title.strip_prefix(capital) {
            return format!("{small}{rest}");
        }
    }
    title.to_owned()
}

/// Words in a row: “a, b and c”.
pub fn list<T: AsRef<str>>(words: &[T]) -> String {
    match words {
        [] => String::new(),
        [only] => only.as_ref().to_owned(),
        [first @ .., last] => {
            let first: Vec<&str> = first.iter().map(AsRef::as_ref).collect();
            format!("{} and {}", first.join(", "), last.as_ref())
        }
    }
}
