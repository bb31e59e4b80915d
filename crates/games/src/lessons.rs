//! The lessons of all games, compiled in from `lessons/<slug>/`.

use std::sync::LazyLock;

use wonderpost_rules::lesson::Lesson;

/// Slug of the game, name of the file, and its text, in order.
const FILES: &[(&str, &str, &str)] = include!(concat!(env!("OUT_DIR"), "/lessons.rs"));

/// A lesson and the name it has in addresses.
pub struct NamedLesson {
    /// “02-paint-a-rose”, after its file.
    pub name: &'static str,
    /// The lesson itself.
    pub lesson: Lesson,
}

static LESSONS: LazyLock<Vec<NamedLesson>> = LazyLock::new(|| {
    let read = FILES.iter().map(|(_, name, text)| Some(NamedLesson { name, lesson: Lesson::read(text).ok()? }));
    // A test reads every file; one that cannot be read is not offered.
    read.flatten().collect()
});

/// The course of a game: its lessons in the order in which they are learnt.
pub fn course(slug: &str) -> impl Iterator<Item = &'static NamedLesson> {
    LESSONS.iter().filter(move |named| named.lesson.game == slug)
}

/// A lesson of a game by its name.
pub fn lesson(slug: &str, name: &str) -> Option<&'static NamedLesson> {
    course(slug).find(|named| named.name == name)
}

/// The text of every lesson file, with the folder and the name of the file.
pub fn files() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    FILES.iter().copied()
}
