//! JSON as text that a person can read and version control can compare: one line for each innermost entry.
//!
//! The same value always gives the same text: known members in a fixed order, the others behind them by name.

use std::fmt::Write as _;

use serde_json::Value;

/// The order in which members stand.
const ORDER: &[&str] = &[
    "sinew",
    "name",
    "node",
    "index",
    "twin",
    "n_vertices",
    "mask",
    "budget",
    "locks",
    "pairs",
    "masks",
    "pose",
    "poses",
    "clip",
    "time_s",
    "turns",
    "degrees",
    "morphs",
    "weights",
];

/// The text of a file, with a line break at its end.
pub(super) fn text(root: &Value) -> String {
    let mut out = String::new();
    write(&mut out, root, 0, true);
    out.push('\n');
    out
}

fn write(out: &mut String, value: &Value, depth: usize, is_broken: bool) {
    let (open, close) = match value {
        Value::Array(_) => ('[', ']'),
        Value::Object(_) => ('{', '}'),
        scalar => {
            let _ = write!(out, "{scalar}");
            return;
        }
    };
    let entries = entries(value);
    out.push(open);
    for (i, (key, entry)) in entries.iter().enumerate() {
        if i > 0 {
            out.push(',');
        }
        if is_broken {
            line(out, depth + 1);
        } else if i > 0 || key.is_some() {
            out.push(' ');
        }
        if let Some(key) = key {
            let _ = write!(out, "{}: ", Value::from(*key));
        }
        write(out, entry, depth + 1, is_broken && holds_objects(entry));
    }
    if is_broken && !entries.is_empty() {
        line(out, depth);
    } else if entries.iter().any(|(key, _)| key.is_some()) {
        out.push(' ');
    }
    out.push(close);
}

fn line(out: &mut String, depth: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", depth));
}

/// Entries of a list or object; those of an object with their key, in order.
fn entries(value: &Value) -> Vec<(Option<&str>, &Value)> {
    match value {
        Value::Array(list) => list.iter().map(|entry| (None, entry)).collect(),
        Value::Object(members) => {
            let mut all: Vec<(Option<&str>, &Value)> =
                members.iter().map(|(key, entry)| (Some(key.as_str()), entry)).collect();
            let rank = |key: Option<&str>| ORDER.iter().position(|known| Some(*known) == key).unwrap_or(ORDER.len());
            all.sort_by_key(|&(key, _)| (rank(key), key));
            all
        }
        _ => Vec::new(),
    }
}

/// Whether there is an object inside, at any depth.
fn holds_objects(value: &Value) -> bool {
    match value {
        Value::Array(list) => list.iter().any(|entry| entry.is_object() || holds_objects(entry)),
        Value::Object(members) => members.values().any(|entry| entry.is_object() || holds_objects(entry)),
        _ => false,
    }
}
