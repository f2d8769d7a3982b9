//! The end of a command line that is being typed: what could stand there, and a first value without its key.

use sinew_edit::{BRUSHES, Command, Editor, Line, args};
use sinew_model::{Document, NodeIndex};

use super::find;
use crate::panels::n_vertices;

/// A line's end, and what could stand there.
#[derive(PartialEq, Debug)]
pub(super) struct Completion {
    /// The line before it.
    before: String,
    /// What could stand there, best first.
    pub values: Vec<Value>,
}

/// Something that could stand at a line's end.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Value {
    /// Its name.
    pub label: String,
    /// What is known about it.
    pub detail: String,
    /// How the line has it.
    written: String,
    /// Other names by which it is found.
    also: String,
}

/// At most so many are offered: more letters tell them apart.
const MOST: usize = 100;

impl Completion {
    /// The line with one of the values at its end, and whether nothing more needs to be said.
    pub fn with(&self, command: &Command, value: &Value) -> (String, bool) {
        let is_key = value.written.ends_with('=');
        let line = format!("{}{}", self.before, value.written);
        let is_all = !is_key && command.params.len() == 1;
        (if is_key || is_all { line } else { line + " " }, is_all)
    }
}

/// What could stand at the end of a line.
pub(super) fn at_end(editor: &Editor, command: &'static Command, text: &str) -> Option<Completion> {
    let start = last_word(text);
    let (before, word) = text.split_at(start);
    let is_first = before.trim() == command.name;
    let (key, typed) = match word.split_once('=') {
        Some((key, typed)) => (Some(key), typed),
        None if is_first => (command.params.first().map(|param| param.key), word),
        None => (None, word),
    };
    let param = key.and_then(|key| command.params.iter().find(|param| param.key == key));
    let typed = typed.trim_start_matches('"').trim_end_matches('"');
    let mut values = Vec::new();
    if let Some(param) = param {
        let (earlier, typed) = match typed.rsplit_once(',').filter(|_| takes_several(param.value)) {
            Some((earlier, typed)) => (format!("{earlier},"), typed),
            None => (String::new(), typed),
        };
        values = fitting(typed, values_of(editor, command, param.key, param.value));
        for value in &mut values {
            value.written = pair(param.key, &format!("{earlier}{}", value.written));
        }
    }
    if !word.is_empty() && !word.contains(['=', '"']) {
        let is_given = |key: &str| before.contains(&format!(" {key}="));
        let free = command.params.iter().filter(|param| !is_given(param.key));
        values.extend(fitting(
            word,
            free.map(|param| Value {
                label: format!("{}={}", param.key, param.value),
                detail: param.hint.to_owned(),
                written: format!("{}=", param.key),
                also: String::new(),
            }),
        ));
    }
    values.retain(|value| value.written != word);
    values.truncate(MOST);
    (!values.is_empty()).then(|| Completion { before: before.to_owned(), values })
}

/// The line with the key of its first value, where that was left out: `mesh Belt` is `mesh name=Belt`. A command that takes
/// one value takes all that follows: `mesh Belt Buckle`.
pub(super) fn with_key(command: &Command, text: &str) -> String {
    let text = text.trim();
    let rest = text.strip_prefix(command.name).unwrap_or_default().trim_start();
    let first = rest.split_whitespace().next().unwrap_or_default();
    let Some(param) =
        command.params.first().filter(|_| !first.is_empty() && (first.starts_with('"') || !first.contains('=')))
    else {
        return text.to_owned();
    };
    if command.params.len() == 1 && !rest.contains(['"', '=']) {
        return Line::new(command.name).with(param.key, rest).to_string();
    }
    format!("{} {}={rest}", command.name, param.key)
}

/// Where the last word of a line begins; spaces between quotes part no words.
fn last_word(text: &str) -> usize {
    let (mut start, mut is_quoted, mut is_escaped) = (0, false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' if is_quoted => is_escaped = true,
            '"' => is_quoted ^= true,
            c if c.is_whitespace() && !is_quoted => start = at + c.len_utf8(),
            _ => {}
        }
    }
    start
}

/// `key=value` as a line has it.
fn pair(key: &str, value: &str) -> String {
    Line::new("").with(key, value).to_string().trim_start().to_owned()
}

fn takes_several(value: &str) -> bool {
    value.split('|').any(|part| part == "A,B")
}

fn fitting(typed: &str, values: impl IntoIterator<Item = Value>) -> Vec<Value> {
    let score = |value: &Value| find::score(typed, &value.label, &value.also, &value.also);
    let mut scored: Vec<(i32, Value)> =
        values.into_iter().filter_map(|value| score(&value).map(|score| (score, value))).collect();
    scored.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    scored.into_iter().map(|(_, value)| value).collect()
}

/// What a parameter can be: names of the model, and the words of its help that stand for themselves.
fn values_of(editor: &Editor, command: &Command, key: &str, help: &str) -> Vec<Value> {
    let document = editor.document();
    let mut values = match (command.name, key) {
        ("mesh", "name") => meshes(document).into_iter().chain([plain_word("all".to_owned())]).collect(),
        (_, "mesh" | "meshes") => meshes(document),
        ("joint", "name") | (_, "joint" | "with" | "lane" | "give" | "a" | "b") => joints(editor),
        (_, "node") if help.contains("NAME") => {
            let nodes = document.instances().iter().map(|instance| instance.node);
            let label = |node| document.nodes().label(node);
            nodes.map(|node| value(label(node), String::new(), args::mesh_node_name(document, node))).collect()
        }
        ("scene", "name") => {
            let scenes = (0..document.scenes().len()).map(sinew_model::SceneIndex::from_idx);
            scenes.map(|s| value(document.scene_label(s), String::new(), args::scene_name(document, s))).collect()
        }
        (_, "clip") => {
            let clips = (0..document.clips().len()).map(sinew_model::ClipIndex::from_idx);
            clips.map(|clip| plain_word(args::clip_name(document, clip))).collect()
        }
        (_, "brush") => BRUSHES.iter().map(|brush| plain_word(brush.name.to_owned())).collect(),
        _ => Vec::new(),
    };
    let words = help.split('|').filter(|word| is_word(word)).map(|word| plain_word(word.to_owned()));
    for word in words {
        if !values.iter().any(|value| value.label == word.label) {
            values.push(word);
        }
    }
    values
}

/// Whether a part of a parameter's help is what is written: `all`, not `NAME`, `0..1` or `x,y,z`.
fn is_word(part: &str) -> bool {
    let is_plain = part.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '_' | '+' | '-'));
    is_plain && part.contains(|c: char| c.is_ascii_lowercase())
}

/// Meshes by the names of the nodes that show them, which are those that artists see in other programs.
fn meshes(document: &Document) -> Vec<Value> {
    let mut values = Vec::new();
    for mesh in document.skinned_meshes() {
        let data_name = document.mesh(mesh).label(mesh);
        let n = n_vertices(document.mesh(mesh).n_vertices());
        let by_number = args::mesh_name(document, mesh);
        for node in document.nodes_of(mesh) {
            let label = document.nodes().label(node);
            let finds_it = sinew_model::lookup::mesh_named(document, &label) == Ok(mesh);
            let written = if finds_it && !label.contains(['\n', '\r']) { label.clone() } else { by_number.clone() };
            let detail = if label == data_name { n.clone() } else { format!("mesh {data_name} · {n}") };
            values.push(Value { label, detail, written, also: data_name.clone() });
        }
    }
    values
}

fn joints(editor: &Editor) -> Vec<Value> {
    let (document, mesh) = (editor.document(), editor.session.active_mesh);
    let parent = |joint: NodeIndex| document.nodes().parent(joint).filter(|&parent| document.is_joint(parent));
    let one = |&joint: &NodeIndex| {
        let under = parent(joint).map(|parent| format!("under {}", document.nodes().label(parent)));
        value(document.nodes().label(joint), under.unwrap_or_default(), args::joint_name(document, mesh, joint))
    };
    document.joints().iter().map(one).collect()
}

fn value(label: String, detail: String, written: String) -> Value {
    Value { label, detail, written, also: String::new() }
}

fn plain_word(word: String) -> Value {
    value(word.clone(), String::new(), word)
}

#[cfg(test)]
mod tests {
    use sinew_edit::commands::command_named;

    use super::*;

    #[test]
    fn a_first_value_needs_no_key() {
        let keyed = |text: &str| {
            let name = text.split_whitespace().next().unwrap_or_default();
            command_named(name).map(|command| with_key(command, text)).unwrap_or_default()
        };
        assert_eq!(keyed("mesh Belt"), "mesh name=Belt");
        assert_eq!(keyed("mesh Belt Buckle "), "mesh name=\"Belt Buckle\"");
        assert_eq!(keyed("mesh \"a=b\""), "mesh name=\"a=b\"");
        assert_eq!(keyed("mesh name=Belt"), "mesh name=Belt");
        assert_eq!(keyed("limit 4 mesh=Belt"), "limit influences=4 mesh=Belt");
        assert_eq!(keyed("mesh "), "mesh");
        assert_eq!(keyed("undo x"), "undo x", "what takes nothing gets nothing");
    }

    #[test]
    fn the_last_word_may_hold_quoted_spaces() {
        for (text, word) in [("a b", "b"), ("a ", ""), ("a k=\"x y", "k=\"x y"), (r#"a k="\" y" z"#, "z")] {
            assert_eq!(&text[last_word(text)..], word, "{text}");
        }
    }

    #[test]
    fn words_of_help_are_told_from_kinds_of_values() {
        for word in ["yes", "all", "4xu8", "+x"] {
            assert!(is_word(word), "{word}");
        }
        for kind in ["NAME", "0..1", "x,y,z", "A,B", "#N", "N", "0-99,120"] {
            assert!(!is_word(kind), "{kind}");
        }
    }
}
