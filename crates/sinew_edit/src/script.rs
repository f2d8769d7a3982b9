//! Command lines: `name key=value …`, one a line, `#` begins a comment line.
//!
//! A value may be "quoted"; inside quotes `\"` is a quote, `\\` a backslash, `\n` and `\r` a line break (names may hold
//! one, and a line must stay a line). This module knows the grammar only;
//! which commands and parameters exist is said in [`crate::commands`].

use std::fmt;

use sinew_model::shown_name;

/// One parsed line.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Line {
    /// The command's name.
    pub name: String,
    /// Parameters in the order written, each key once.
    pub params: Vec<(String, String)>,
}

/// Why a line cannot be read. Columns count characters from 1.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SyntaxError {
    /// Something that is not `key=value`.
    #[error("column {column}: expected key=value, found \"{}\"", shown_name(found))]
    NotAParameter {
        /// Where.
        column: usize,
        /// What stands there.
        found: String,
    },
    /// A quote that is never closed.
    #[error("column {column}: this quote is not closed")]
    OpenQuote {
        /// Where the quote opens.
        column: usize,
    },
    /// Text right behind a closing quote.
    #[error("column {column}: expected a space after the closing quote, found '{found}'")]
    AfterQuote {
        /// Where.
        column: usize,
        /// What stands there.
        found: char,
    },
    /// A parameter given twice.
    #[error("column {column}: \"{}\" is given twice", shown_name(key))]
    Twice {
        /// Where the second stands.
        column: usize,
        /// The parameter.
        key: String,
    },
}

impl Line {
    /// Reads one line; `None` for blank lines and comments.
    pub fn parse(text: &str) -> Result<Option<Self>, SyntaxError> {
        let mut reader = Reader { chars: text.chars().collect(), at: 0 };
        reader.skip_space();
        if reader.peek().is_none_or(|c| c == '#') {
            return Ok(None);
        }
        let name = reader.word(|_| true);
        let mut params: Vec<(String, String)> = Vec::new();
        loop {
            reader.skip_space();
            if reader.peek().is_none() {
                return Ok(Some(Self { name, params }));
            }
            let column = reader.at + 1;
            let key = reader.word(|c| c != '=');
            if key.is_empty() || reader.peek() != Some('=') {
                let found = key + &reader.word(|_| true);
                return Err(SyntaxError::NotAParameter { column, found });
            }
            reader.at += 1;
            let value = reader.value()?;
            if params.iter().any(|(earlier, _)| *earlier == key) {
                return Err(SyntaxError::Twice { column, key });
            }
            params.push((key, value));
        }
    }

    /// A line without parameters yet.
    pub fn new(name: &str) -> Self {
        Self { name: name.to_owned(), params: Vec::new() }
    }

    /// The line with one more parameter.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl fmt::Display) -> Self {
        self.params.push((key.to_owned(), value.to_string()));
        self
    }

    /// The value of a parameter.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.params.iter().find(|(k, _)| k == key).map(|(_, value)| value.as_str())
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        for (key, value) in &self.params {
            let plain = !value.is_empty() && !value.contains(|c: char| c.is_whitespace() || c == '"' || c == '\\');
            if plain {
                write!(f, " {key}={value}")?;
            } else {
                let quoted = value.replace('\\', "\\\\").replace('"', "\\\"");
                write!(f, " {key}=\"{}\"", quoted.replace('\n', "\\n").replace('\r', "\\r"))?;
            }
        }
        Ok(())
    }
}

struct Reader {
    chars: Vec<char>,
    at: usize,
}

impl Reader {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.at += 1;
        }
    }

    fn word(&mut self, accept: impl Fn(char) -> bool) -> String {
        let start = self.at;
        while self.peek().is_some_and(|c| !c.is_whitespace() && accept(c)) {
            self.at += 1;
        }
        self.chars[start..self.at].iter().collect()
    }

    fn value(&mut self) -> Result<String, SyntaxError> {
        if self.peek() != Some('"') {
            return Ok(self.word(|_| true));
        }
        let column = self.at + 1;
        self.at += 1;
        let mut value = String::new();
        loop {
            match self.peek() {
                None => return Err(SyntaxError::OpenQuote { column }),
                Some('"') => break,
                Some('\\') => {
                    self.at += 1;
                    match self.peek() {
                        Some(c @ ('"' | '\\')) => value.push(c),
                        Some('n') => value.push('\n'),
                        Some('r') => value.push('\r'),
                        Some(c) => value.extend(['\\', c]),
                        None => return Err(SyntaxError::OpenQuote { column }),
                    }
                }
                Some(c) => value.push(c),
            }
            self.at += 1;
        }
        self.at += 1;
        match self.peek() {
            Some(found) if !found.is_whitespace() => Err(SyntaxError::AfterQuote { column: self.at + 1, found }),
            _ => Ok(value),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_line_is_a_name_and_parameters() {
        let line = Line::parse(r#"  stroke joint="Upper \"Arm\" \\ L" brush=add value=0.5 "#)
            .expect("parses")
            .expect("a line");
        assert_eq!(line.name, "stroke");
        assert_eq!(line.get("joint"), Some(r#"Upper "Arm" \ L"#));
        assert_eq!(line.get("value"), Some("0.5"));
        assert_eq!(line.get("radius"), None);
    }

    #[test]
    fn comments_and_blank_lines_are_nothing() {
        for text in ["", "   ", "# a comment", "  # joint=x"] {
            assert_eq!(Line::parse(text), Ok(None), "{text:?}");
        }
    }

    #[test]
    fn each_mistake_says_where_it_is() {
        assert_eq!(
            Line::parse("set vertices"),
            Err(SyntaxError::NotAParameter { column: 5, found: "vertices".into() })
        );
        assert_eq!(Line::parse("set a=\"b"), Err(SyntaxError::OpenQuote { column: 7 }));
        assert_eq!(Line::parse("set a=\"b\"c"), Err(SyntaxError::AfterQuote { column: 10, found: 'c' }));
        assert_eq!(Line::parse("set a=1 a=2"), Err(SyntaxError::Twice { column: 9, key: "a".into() }));
        assert_eq!(Line::parse("set =1"), Err(SyntaxError::NotAParameter { column: 5, found: "=1".into() }));
    }

    proptest! {
        #[test]
        fn what_is_written_is_one_line_and_is_read_back(value in "(?s).*|[\\\\\"nr\n\r ]{0,8}", other in "[a-z0-9.;,:#-]{1,20}") {
            let line = Line::new("stroke").with("joint", &value).with("points", &other);
            let text = line.to_string();
            prop_assert!(!text.contains(['\n', '\r']), "{}", text);
            prop_assert_eq!(Line::parse(&text).expect("parses"), Some(line));
        }

        #[test]
        fn no_text_panics(text in ".*") {
            let _ = Line::parse(&text);
        }
    }
}
