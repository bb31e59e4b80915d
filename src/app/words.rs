//! Lists in words.

/// “Alice, the Hatter and the Dormouse”.
pub fn and(names: &[String]) -> String {
    match names {
        [] => "nobody".to_owned(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_joined_as_people_say_them() {
        let names: Vec<String> = ["Alice", "the Hatter", "the Dormouse"].map(str::to_owned).into();
        assert_eq!(and(&names), "Alice, the Hatter and the Dormouse");
        assert_eq!(and(&names[..1]), "Alice");
        assert_eq!(and(&[]), "nobody");
    }
}
