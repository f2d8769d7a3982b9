//! Names as messages show them: nobody reads the rest of one that is a megabyte long.

use std::borrow::Cow;

/// The most characters of a name in a message.
const MOST_CHARS: usize = 80;

/// A name for a message, cut where it is too long to be read. Scripts and files get names whole.
pub fn shown_name(name: &str) -> Cow<'_, str> {
    // So much fits whatever the characters are.
    if name.len() <= MOST_CHARS {
        return Cow::Borrowed(name);
    }
    match name.char_indices().nth(MOST_CHARS) {
        None => Cow::Borrowed(name),
        Some(_) => Cow::Owned(name.chars().take(MOST_CHARS - 1).chain(['…']).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_about_a_long_name_can_be_read() {
        let name = "J".repeat(5_000_000);
        let error = crate::LookupError::Unknown { what: "joint", name, hint: String::new() };
        assert!(error.to_string().len() < 200);
    }

    #[test]
    fn only_what_is_too_long_is_cut_and_never_within_a_letter() {
        for whole in [String::new(), "Hips".to_owned(), "网".repeat(80)] {
            assert_eq!(shown_name(&whole), whole);
        }
        let cut = shown_name(&"网".repeat(5_000_000)).into_owned();
        assert_eq!((cut.chars().count(), cut.chars().last()), (80, Some('…')));
    }
}
