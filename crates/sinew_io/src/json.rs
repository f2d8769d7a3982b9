//! Reading JSON values whose shape is not trusted: every answer is a value or an error that names the place.
//!
//! Boundary: knows JSON, not glTF.

use std::fmt;

use serde_json::Value;

/// A place in the JSON, printed as `accessors/3/sparse/count`. Cheap to copy, so that reading allocates nothing.
#[derive(Clone, Copy)]
pub(crate) struct JsonPath<'a> {
    steps: [Step<'a>; MAX_STEPS],
    len: usize,
}

#[derive(Clone, Copy)]
enum Step<'a> {
    Key(&'a str),
    Index(usize),
}

/// Deeper places are printed as their parent.
const MAX_STEPS: usize = 9;

/// A member of the JSON is not what glTF asks for.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{path}: expected {expected}, found {found}")]
pub struct JsonError {
    /// The place, such as `accessors/3/count`.
    pub path: String,
    /// What should stand there.
    pub expected: String,
    /// What stands there.
    pub found: String,
}

/// A value and where it stands.
#[derive(Clone, Copy)]
pub(crate) struct Json<'a> {
    value: &'a Value,
    pub(crate) path: JsonPath<'a>,
}

impl<'a> Json<'a> {
    pub(crate) fn root(value: &'a Value) -> Self {
        Self { value, path: JsonPath { steps: [Step::Key(""); MAX_STEPS], len: 0 } }
    }

    pub(crate) fn value(self) -> &'a Value {
        self.value
    }

    /// A member of an object; `None` if it is absent or null.
    pub(crate) fn get(self, key: &'a str) -> Option<Self> {
        let value = self.value.get(key).filter(|value| !value.is_null())?;
        Some(Self { value, path: self.path.key(key) })
    }

    /// A member that must be there.
    pub(crate) fn need(self, key: &'a str, expected: &str) -> Result<Self, JsonError> {
        self.get(key).ok_or_else(|| JsonError {
            path: self.path.key(key).to_string(),
            expected: expected.to_owned(),
            found: "nothing".to_owned(),
        })
    }

    /// An extension's object.
    pub(crate) fn extension(self, name: &'a str) -> Option<Self> {
        self.get("extensions")?.get(name)
    }

    /// The entries of a list; absent means none.
    pub(crate) fn list(
        self,
        key: &'a str,
    ) -> Result<impl ExactSizeIterator<Item = Self> + DoubleEndedIterator + use<'a>, JsonError> {
        let path = self.path.key(key);
        let values: &[Value] = match self.get(key) {
            None => &[],
            Some(member) => match member.value.as_array() {
                Some(values) => values,
                None => return Err(member.wrong("a list")),
            },
        };
        Ok(values.iter().enumerate().map(move |(i, value)| Self { value, path: path.at(i) }))
    }

    /// How many entries a list has; 0 if it is absent.
    pub(crate) fn list_len(self, key: &'a str) -> Result<usize, JsonError> {
        Ok(self.list(key)?.len())
    }

    /// A member that is an object.
    pub(crate) fn object(self) -> Result<&'a serde_json::Map<String, Value>, JsonError> {
        self.value.as_object().ok_or_else(|| self.wrong("an object"))
    }

    /// The members of an object.
    pub(crate) fn members(self) -> Result<impl Iterator<Item = (&'a str, Self)> + use<'a>, JsonError> {
        let path = self.path;
        Ok(self.object()?.iter().map(move |(key, value)| (key.as_str(), Self { value, path: path.key(key) })))
    }

    /// A string.
    pub(crate) fn text(self, key: &'a str) -> Result<Option<&'a str>, JsonError> {
        self.get(key).map(|member| member.value.as_str().ok_or_else(|| member.wrong("a string"))).transpose()
    }

    /// A flag; absent means false.
    pub(crate) fn flag(self, key: &'a str) -> Result<bool, JsonError> {
        let Some(member) = self.get(key) else { return Ok(false) };
        member.value.as_bool().ok_or_else(|| member.wrong("true or false"))
    }

    /// A whole number of at least 0.
    pub(crate) fn whole(self, key: &'a str) -> Result<Option<u64>, JsonError> {
        self.get(key).map(Self::as_whole).transpose()
    }

    /// The index of an entry of a list with `n` entries.
    pub(crate) fn index(self, key: &'a str, n: usize) -> Result<Option<u32>, JsonError> {
        self.get(key).map(|member| member.as_index(n)).transpose()
    }

    /// A list of exactly `N` finite numbers.
    pub(crate) fn numbers<const N: usize>(self, key: &'a str) -> Result<Option<[f64; N]>, JsonError> {
        let Some(member) = self.get(key) else { return Ok(None) };
        let entries = self.list(key)?;
        if entries.len() != N {
            return Err(member.wrong(&format!("{N} numbers")));
        }
        let mut numbers = [0.0; N];
        for (number, entry) in numbers.iter_mut().zip(entries) {
            *number = entry.as_number()?;
        }
        Ok(Some(numbers))
    }

    pub(crate) fn as_number(self) -> Result<f64, JsonError> {
        self.value.as_f64().filter(|number| number.is_finite()).ok_or_else(|| self.wrong("a number"))
    }

    pub(crate) fn as_whole(self) -> Result<u64, JsonError> {
        // Some writers spell whole numbers with a fraction: 24.0.
        let spelled = self.value.as_f64().filter(|f| f.fract() == 0.0 && (0.0..9e15).contains(f)).map(|f| f as u64);
        self.value.as_u64().or(spelled).ok_or_else(|| self.wrong("a whole number of at least 0"))
    }

    pub(crate) fn as_index(self, n: usize) -> Result<u32, JsonError> {
        let index = self.as_whole()?;
        if index >= n as u64 {
            return Err(self.wrong(&format!("an index below {n}")));
        }
        u32::try_from(index).map_err(|_| self.wrong("an index below 2^32"))
    }

    /// The error that this value is not what it should be.
    pub(crate) fn wrong(self, expected: &str) -> JsonError {
        JsonError { path: self.path.to_string(), expected: expected.to_owned(), found: describe(self.value) }
    }
}

impl<'a> JsonPath<'a> {
    pub(crate) fn key(self, key: &'a str) -> Self {
        self.step(Step::Key(key))
    }

    pub(crate) fn at(self, index: usize) -> Self {
        self.step(Step::Index(index))
    }

    fn step(mut self, step: Step<'a>) -> Self {
        if let Some(place) = self.steps.get_mut(self.len) {
            *place = step;
            self.len += 1;
        }
        self
    }
}

impl fmt::Display for JsonPath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.len == 0 {
            return f.write_str("the root");
        }
        for (i, step) in self.steps[..self.len].iter().enumerate() {
            let slash = if i == 0 { "" } else { "/" };
            match step {
                Step::Key(key) => write!(f, "{slash}{key}")?,
                Step::Index(index) => write!(f, "{slash}{index}")?,
            }
        }
        Ok(())
    }
}

fn describe(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(flag) => flag.to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => format!("{:?}", text.chars().take(40).collect::<String>()),
        Value::Array(list) => format!("a list of {}", list.len()),
        Value::Object(_) => "an object".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn errors_name_the_place_and_what_was_found() {
        let value = json!({ "accessors": [{}, { "count": -1, "bufferView": 7, "max": [1, "x"] }], "meshes": {} });
        let accessor = Json::root(&value).list("accessors").expect("a list").nth(1).expect("an entry");
        let text = |error: Option<JsonError>| error.map(|error| error.to_string()).unwrap_or_default();
        assert_eq!(
            text(accessor.whole("count").err()),
            "accessors/1/count: expected a whole number of at least 0, found -1"
        );
        assert_eq!(
            text(accessor.index("bufferView", 7).err()),
            "accessors/1/bufferView: expected an index below 7, found 7"
        );
        assert_eq!(text(accessor.numbers::<2>("max").err()), "accessors/1/max/1: expected a number, found \"x\"");
        assert_eq!(text(Json::root(&value).list_len("meshes").err()), "meshes: expected a list, found an object");
    }

    #[test]
    fn whole_numbers_may_be_spelled_with_a_fraction() {
        let value = json!({ "a": 24.0, "b": 24.5, "c": 1e300 });
        let root = Json::root(&value);
        assert_eq!(root.whole("a"), Ok(Some(24)));
        assert!(root.whole("b").is_err() && root.whole("c").is_err());
    }
}
