//! Finding where values begin and end in JSON text, without parsing them.

use std::ops::Range;

/// A child of a container: byte spans of its key, quotes included, and of its value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Child {
    pub key: Option<Range<usize>>,
    pub value: Range<usize>,
}

impl Child {
    /// Where the child's text begins.
    pub fn start(&self) -> usize {
        self.key.as_ref().map_or(self.value.start, |key| key.start)
    }

    /// Whether this is the member `key`, escapes in its spelling resolved.
    pub fn has_key(&self, text: &str, key: &str) -> bool {
        let Some(span) = &self.key else { return false };
        let quoted = &text[span.clone()];
        if quoted.contains('\\') {
            return serde_json::from_str::<String>(quoted).is_ok_and(|spelled| spelled == key);
        }
        &quoted[1..quoted.len() - 1] == key
    }
}

/// The span of the one value that the text holds.
pub(super) fn root(text: &str) -> Option<Range<usize>> {
    let bom = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let start = skip_space(text.as_bytes(), bom);
    Some(start..value_end(text.as_bytes(), start)?)
}

/// The children of the object or array at `container`, in order; `None` for anything else.
pub(super) fn children(text: &str, container: Range<usize>) -> Option<Vec<Child>> {
    let bytes = text.as_bytes();
    let is_object = match bytes.get(container.start)? {
        b'{' => true,
        b'[' => false,
        _ => return None,
    };
    let close = container.end.checked_sub(1)?;
    let mut found = Vec::new();
    let mut at = skip_space(bytes, container.start + 1);
    while at < close {
        let mut key = None;
        if is_object {
            let span = at..string_end(bytes, at)?;
            at = skip_space(bytes, span.end);
            if bytes.get(at) != Some(&b':') {
                return None;
            }
            at = skip_space(bytes, at + 1);
            key = Some(span);
        }
        let value = at..value_end(bytes, at)?;
        at = skip_space(bytes, value.end);
        found.push(Child { key, value });
        if bytes.get(at) == Some(&b',') {
            at = skip_space(bytes, at + 1);
        }
    }
    (at == close).then_some(found)
}

fn skip_space(bytes: &[u8], mut at: usize) -> usize {
    while matches!(bytes.get(at), Some(b' ' | b'\t' | b'\n' | b'\r')) {
        at += 1;
    }
    at
}

/// One past the closing quote of the string that begins at `start`.
fn string_end(bytes: &[u8], start: usize) -> Option<usize> {
    if bytes.get(start) != Some(&b'"') {
        return None;
    }
    let mut at = start + 1;
    loop {
        match bytes.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

/// One past the end of the value that begins at `start`.
fn value_end(bytes: &[u8], start: usize) -> Option<usize> {
    match bytes.get(start)? {
        b'"' => return string_end(bytes, start),
        b'{' | b'[' => {}
        _ => {
            let is_end = |byte: &u8| matches!(byte, b',' | b'}' | b']' | b' ' | b'\t' | b'\n' | b'\r');
            let len = bytes[start..].iter().position(is_end).unwrap_or(bytes.len() - start);
            return (len > 0).then_some(start + len);
        }
    }
    let mut depth = 0usize;
    let mut at = start;
    loop {
        match bytes.get(at)? {
            b'"' => {
                at = string_end(bytes, at)?;
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth -= 1,
            _ => {}
        }
        at += 1;
        if depth == 0 {
            return Some(at);
        }
    }
}
