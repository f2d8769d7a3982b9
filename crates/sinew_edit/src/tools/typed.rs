//! A number that is typed while a tool is in the hand: digits, a point, a minus.

/// What was typed so far.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TypedNumber {
    text: String,
}

impl TypedNumber {
    /// Longest text: more digits than any angle has.
    const MAX_CHARS: usize = 9;

    /// Takes a character; a minus turns the sign around, a comma is a point, what is no part of a number is left out.
    pub fn push(&mut self, c: char) {
        match c {
            '-' if self.text.starts_with('-') => drop(self.text.remove(0)),
            '-' => self.text.insert(0, '-'),
            '.' | ',' if !self.text.contains('.') => self.text.push('.'),
            '0'..='9' if self.text.len() < Self::MAX_CHARS => self.text.push(c),
            _ => {}
        }
    }

    /// Takes the last character back.
    pub fn pop(&mut self) {
        self.text.pop();
    }

    /// The number; `None` while nothing is typed, 0 before the first digit.
    pub fn value(&self) -> Option<f32> {
        match self.text.as_str() {
            "" => None,
            "-" | "." | "-." => Some(0.0),
            text => Some(text.parse().unwrap_or(0.0)),
        }
    }

    /// The change that it means, with its sign; `dragged` while nothing is typed.
    pub fn change(&self, dragged: f32) -> String {
        match self.text.as_str() {
            // Plus 0: none is negative.
            "" => format!("{:+.1}", dragged + 0.0),
            text if text.starts_with('-') => text.to_owned(),
            text => format!("+{text}"),
        }
    }

    /// As it was typed.
    pub fn text(&self) -> &str {
        &self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(text: &str) -> TypedNumber {
        let mut number = TypedNumber::default();
        text.chars().for_each(|c| number.push(c));
        number
    }

    #[test]
    fn a_number_is_read_as_it_is_typed() {
        assert_eq!(typed("").value(), None);
        assert_eq!(typed("-").value(), Some(0.0));
        assert_eq!(typed("4x5,25.7").value(), Some(45.257));
        assert_eq!(typed("90-").value(), Some(-90.0), "a minus may come late");
        assert_eq!(typed("-90-").value(), Some(90.0));
        let mut number = typed("12");
        number.pop();
        assert_eq!(number.value(), Some(1.0));
        assert_eq!([number, typed("-4")].map(|number| number.change(9.0)), ["+1", "-4"]);
        assert_eq!([37.64, -2.0].map(|dragged| typed("").change(dragged)), ["+37.6", "-2.0"]);
    }
}
