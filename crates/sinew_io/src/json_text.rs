//! Editing JSON as text: the members that change are spliced, every other byte stays as it was.
//!
//! Whitespace, key order, number spelling, escapes and repeated keys outside the edits survive, so a file in
//! version control shows a diff of a few lines. Boundary: knows JSON, nothing of glTF; the text must already have
//! been accepted by a JSON parser, what is not well formed is reported as not found.
//!
//! Nothing here recurses: a container's children are found by a scan that only counts brackets.

mod scan;

use std::collections::BTreeMap;
use std::ops::Range;

use self::scan::{Child, children};

/// One step of a path: a member of an object or an element of an array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step<'a> {
    /// The member with this key; the last one where a key is repeated, as parsers see it.
    Key(&'a str),
    /// The element at this index.
    At(usize),
}

impl<'a> From<&'a str> for Step<'a> {
    fn from(key: &'a str) -> Self {
        Self::Key(key)
    }
}

impl From<usize> for Step<'_> {
    fn from(index: usize) -> Self {
        Self::At(index)
    }
}

/// Makes a path out of keys and indices: `at!["accessors", 3, "max"]`.
macro_rules! at {
    ($($step:expr),* $(,)?) => { &[$($crate::json_text::Step::from($step)),*] };
}
pub(crate) use at;

/// Why an edit of the text is not possible.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum JsonTextError {
    /// There is no object (array) where one should be edited.
    #[error("{path} is not there or is no {expected}")]
    NotFound {
        /// JSON pointer of what was looked for.
        path: String,
        /// `object` or `array`.
        expected: &'static str,
    },
    /// Two edits touch the same text.
    #[error("two edits of the JSON text overlap at byte {at}")]
    Overlap {
        /// Where the second begins.
        at: usize,
    },
}

/// JSON text with edits to come. All paths are those of the original text.
pub struct JsonText<'a> {
    text: &'a str,
    children: BTreeMap<usize, Vec<Child>>,
    objects: BTreeMap<usize, ObjectEdit>,
    arrays: BTreeMap<usize, ArrayEdit>,
    values: Vec<(Range<usize>, String)>,
}

#[derive(Default)]
struct ObjectEdit {
    end: usize,
    set: Vec<(String, String)>,
    removed: Vec<String>,
}

#[derive(Default)]
struct ArrayEdit {
    end: usize,
    appended: Vec<String>,
}

impl<'a> JsonText<'a> {
    /// Begins with no edits.
    pub fn new(text: &'a str) -> Self {
        Self { text, children: BTreeMap::new(), objects: BTreeMap::new(), arrays: BTreeMap::new(), values: Vec::new() }
    }

    /// The byte span of a value.
    pub fn find(&mut self, path: &[Step<'_>]) -> Option<Range<usize>> {
        let mut span = scan::root(self.text)?;
        for step in path {
            let text = self.text;
            let children = self.children_of(span.clone())?;
            span = match step {
                Step::Key(key) => children.iter().rev().find(|child| child.has_key(text, key))?.value.clone(),
                Step::At(index) => children.get(*index).filter(|child| child.key.is_none())?.value.clone(),
            };
        }
        Some(span)
    }

    /// The text of a value.
    pub fn value(&mut self, path: &[Step<'_>]) -> Option<&'a str> {
        self.find(path).map(|span| &self.text[span])
    }

    /// Sets a member of an object: its value is replaced, or the member added after the last one.
    pub fn set_member(&mut self, object: &[Step<'_>], key: &str, value: String) -> Result<(), JsonTextError> {
        self.object_edit(object)?.set.push((key.to_owned(), value));
        Ok(())
    }

    /// Removes a member (all of that key) from an object; nothing happens where there is none.
    pub fn remove_member(&mut self, object: &[Step<'_>], key: &str) -> Result<(), JsonTextError> {
        self.object_edit(object)?.removed.push(key.to_owned());
        Ok(())
    }

    /// Sets the numbers of an array one by one where it already has as many, so that its layout stays; else
    /// replaces it, or adds the member.
    pub fn set_numbers(&mut self, object: &[Step<'_>], key: &str, numbers: &[String]) -> Result<(), JsonTextError> {
        let mut path = object.to_vec();
        path.push(Step::Key(key));
        let text = self.text;
        let elements = self.find(&path).and_then(|span| self.children_of(span).map(<[Child]>::to_vec));
        match elements.filter(|elements| elements.len() == numbers.len() && elements.iter().all(|e| e.key.is_none())) {
            Some(elements) => {
                for (element, number) in elements.iter().zip(numbers) {
                    if text[element.value.clone()] != **number {
                        self.values.push((element.value.clone(), number.clone()));
                    }
                }
                Ok(())
            }
            None => self.set_member(object, key, format!("[{}]", numbers.join(","))),
        }
    }

    /// Appends an element to an array.
    pub fn append(&mut self, array: &[Step<'_>], element: String) -> Result<(), JsonTextError> {
        let span = self.find(array).filter(|span| self.text.as_bytes()[span.start] == b'[');
        let span = span.ok_or_else(|| not_found(array, "array"))?;
        self.arrays.entry(span.start).or_insert_with(|| ArrayEdit { end: span.end, ..ArrayEdit::default() });
        if let Some(edit) = self.arrays.get_mut(&span.start) {
            edit.appended.push(element);
        }
        Ok(())
    }

    /// The text of an object laid out like the last element of an array: same line breaks, indentation and colons.
    /// `members` are keys and value texts. Without an example the object is written without spaces.
    pub fn object_like_last_of(&mut self, array: &[Step<'_>], members: &[(&str, String)]) -> String {
        let style = self.last_object_style(array).unwrap_or_default();
        let members: Vec<String> = members
            .iter()
            .map(|(key, value)| format!("{}{}{value}", serde_json::Value::from(*key), style.colon))
            .collect();
        format!("{{{}{}{}}}", style.before_first, members.join(&format!(",{}", style.between)), style.before_end)
    }

    /// The edited text.
    pub fn finish(mut self) -> Result<String, JsonTextError> {
        let mut edits = std::mem::take(&mut self.values);
        for (start, edit) in std::mem::take(&mut self.objects) {
            self.object_edits(start, edit, &mut edits);
        }
        for (start, edit) in std::mem::take(&mut self.arrays) {
            self.array_edits(start, edit, &mut edits);
        }
        // Stable: at one place, what was removed comes before what is inserted there.
        edits.sort_by_key(|(span, _)| (span.start, span.end));
        let mut out = String::with_capacity(self.text.len() + edits.iter().map(|(_, text)| text.len()).sum::<usize>());
        let mut at = 0;
        for (span, text) in edits {
            if span.start < at {
                return Err(JsonTextError::Overlap { at: span.start });
            }
            out.push_str(&self.text[at..span.start]);
            out.push_str(&text);
            at = span.end;
        }
        out.push_str(&self.text[at..]);
        Ok(out)
    }

    fn object_edit(&mut self, object: &[Step<'_>]) -> Result<&mut ObjectEdit, JsonTextError> {
        let span = self.find(object).filter(|span| self.text.as_bytes()[span.start] == b'{');
        let span = span.ok_or_else(|| not_found(object, "object"))?;
        let edit = ObjectEdit { end: span.end, ..ObjectEdit::default() };
        Ok(self.objects.entry(span.start).or_insert(edit))
    }

    fn children_of(&mut self, container: Range<usize>) -> Option<&[Child]> {
        if !self.children.contains_key(&container.start) {
            let found = children(self.text, container.clone())?;
            self.children.insert(container.start, found);
        }
        self.children.get(&container.start).map(Vec::as_slice)
    }

    fn object_edits(&mut self, start: usize, edit: ObjectEdit, edits: &mut Vec<(Range<usize>, String)>) {
        let text = self.text;
        let Some(members) = self.children_of(start..edit.end).map(<[Child]>::to_vec) else { return };
        let gone: Vec<bool> =
            members.iter().map(|member| edit.removed.iter().any(|key| member.has_key(text, key))).collect();
        let mut kept_before = false;
        for (m, member) in members.iter().enumerate() {
            let span = match (gone[m], kept_before) {
                (false, _) => {
                    kept_before = true;
                    continue;
                }
                (true, true) => members[m - 1].value.end..member.value.end,
                (true, false) => member.start()..members.get(m + 1).map_or(member.value.end, Child::start),
            };
            edits.push((span, String::new()));
        }
        let style = Style::of(text, start, &members);
        let mut inserted = String::new();
        // Last value set wins; the order is that in which keys were first set.
        let mut keys: Vec<(String, String)> = Vec::new();
        for (key, value) in edit.set {
            match keys.iter_mut().find(|(known, _)| *known == key) {
                Some(known) => known.1 = value,
                None => keys.push((key, value)),
            }
        }
        for (key, value) in keys {
            let place = members.iter().enumerate().rev().find(|(m, member)| !gone[*m] && member.has_key(text, &key));
            if let Some((_, member)) = place {
                if text[member.value.clone()] != value {
                    edits.push((member.value.clone(), value));
                }
                continue;
            }
            if kept_before || !inserted.is_empty() {
                inserted.push(',');
                inserted.push_str(style.between);
            }
            inserted.extend([&serde_json::Value::from(key.as_str()).to_string(), style.colon, &value]);
        }
        if !inserted.is_empty() {
            let at = members.last().map_or(start + 1, |last| last.value.end);
            edits.push((at..at, inserted));
        }
    }

    fn array_edits(&mut self, start: usize, edit: ArrayEdit, edits: &mut Vec<(Range<usize>, String)>) {
        let text = self.text;
        let Some(elements) = self.children_of(start..edit.end).map(<[Child]>::to_vec) else { return };
        let between = Style::of(text, start, &elements).between;
        let mut inserted = String::new();
        for element in edit.appended {
            if !elements.is_empty() || !inserted.is_empty() {
                inserted.push(',');
                inserted.push_str(between);
            }
            inserted.push_str(&element);
        }
        let at = elements.last().map_or(start + 1, |last| last.value.end);
        edits.push((at..at, inserted));
    }

    fn last_object_style(&mut self, array: &[Step<'_>]) -> Option<Style<'a>> {
        let text = self.text;
        let span = self.find(array)?;
        let last = self.children_of(span)?.last()?.value.clone();
        if text.as_bytes()[last.start] != b'{' {
            return None;
        }
        let members = self.children_of(last.clone())?;
        let end = members.last()?.value.end;
        Some(Style { before_end: &text[end..last.end - 1], ..Style::of(text, last.start, members) })
    }
}

/// How a container is laid out.
#[derive(Clone, Copy)]
struct Style<'a> {
    before_first: &'a str,
    between: &'a str,
    before_end: &'a str,
    colon: &'a str,
}

impl Default for Style<'_> {
    fn default() -> Self {
        Self { before_first: "", between: "", before_end: "", colon: ":" }
    }
}

impl<'a> Style<'a> {
    fn of(text: &'a str, start: usize, children: &[Child]) -> Self {
        let Some(last) = children.last() else { return Self::default() };
        let before_first = &text[start + 1..children[0].start()];
        let between = match children.len() {
            1 => before_first,
            n => {
                let gap = &text[children[n - 2].value.end..last.start()];
                gap.find(',').map_or("", |comma| &gap[comma + 1..])
            }
        };
        let colon = last.key.as_ref().map_or(":", |key| &text[key.end..last.value.start]);
        Self { before_first, between, before_end: "", colon }
    }
}

fn not_found(path: &[Step<'_>], expected: &'static str) -> JsonTextError {
    JsonTextError::NotFound { path: pointer(path), expected }
}

/// A path as a JSON pointer.
pub fn pointer(path: &[Step<'_>]) -> String {
    path.iter()
        .map(|step| match step {
            Step::Key(key) => format!("/{}", key.replace('~', "~0").replace('/', "~1")),
            Step::At(index) => format!("/{index}"),
        })
        .collect()
}

#[cfg(test)]
mod tests;
