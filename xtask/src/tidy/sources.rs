//! What source and text files must look like: length, trailing blanks, module docs, no paths of the machine they were written on.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context;

/// Lines a source file may have, tests not counted.
const MAX_LINES: usize = 600;

/// Folders of the machine that nothing in the project may name. Written in two parts, so that this file does not name them.
const FOREIGN_FOLDERS: [&str; 4] =
    [concat!("/wo", "rk/"), concat!("/t", "mp/"), concat!("/ro", "ot/"), concat!("/ho", "me/")];

/// Checks every file of the project under `root`.
pub fn check(root: &Path) -> anyhow::Result<Vec<String>> {
    let mut complaints = Vec::new();
    for path in project_files(root)? {
        let Ok(bytes) = std::fs::read(root.join(&path)) else { continue }; // deleted, but not yet in the index
        let Ok(text) = String::from_utf8(bytes) else { continue }; // pictures and models
        complaints.extend(check_file(&path, &text));
    }
    Ok(complaints)
}

/// What is wrong with one file; `path` is relative to the root, with forward slashes.
fn check_file(path: &str, text: &str) -> Vec<String> {
    let mut complaints = Vec::new();
    let is_rust = has_extension(path, "rs");
    if is_rust || has_extension(path, "wgsl") {
        let n_lines = counted_lines(text);
        let is_test = path.split('/').any(|part| part == "tests" || part == "tests.rs");
        if n_lines > MAX_LINES && !is_test {
            complaints.push(format!("{path}: {n_lines} lines without its tests, at most {MAX_LINES} are allowed"));
        }
    }
    if is_rust && !text.trim_start().starts_with("//!") {
        complaints.push(format!("{path}: does not begin with a module doc (`//!`)"));
    }
    for (number, line) in (1..).zip(text.lines()) {
        if line.ends_with([' ', '\t']) {
            complaints.push(format!("{path}:{number}: ends with a blank"));
        }
        if let Some(folder) = foreign_folder(line) {
            complaints.push(format!("{path}:{number}: names {folder}, a folder of one machine"));
        }
    }
    complaints
}

/// Lines of a source file without its `#[cfg(test)] mod … { … }` blocks.
fn counted_lines(text: &str) -> usize {
    let mut n_lines = 0;
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let opens_tests = line.trim() == "#[cfg(test)]" && lines.peek().is_some_and(|next| is_module_opening(next));
        if !opens_tests {
            n_lines += 1;
            continue;
        }
        // Formatted code closes a block at the indentation of its opening.
        let indentation = line.len() - line.trim_start().len();
        let closing = format!("{}}}", &line[..indentation]);
        for line in lines.by_ref() {
            if line == closing {
                break;
            }
        }
    }
    n_lines
}

fn is_module_opening(line: &str) -> bool {
    let line = line.trim();
    line.strip_prefix("pub(crate) ").unwrap_or(line).starts_with("mod ") && line.ends_with('{')
}

/// The folder that a line names as an absolute path, if any.
fn foreign_folder(line: &str) -> Option<&'static str> {
    FOREIGN_FOLDERS.into_iter().find(|folder| {
        line.match_indices(folder).any(|(at, _)| {
            let before = line[..at].chars().next_back();
            before.is_none_or(|c| c.is_whitespace() || "\"'`(=:,[".contains(c))
        })
    })
}

fn has_extension(path: &str, extension: &str) -> bool {
    Path::new(path).extension().is_some_and(|found| found == extension)
}

/// All files of the project, relative to `root`, sorted: what git tracks or would track, or else a walk.
fn project_files(root: &Path) -> anyhow::Result<Vec<String>> {
    let listed = Command::new("git")
        .current_dir(root)
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .output();
    let mut files: Vec<String> = match listed {
        Ok(output) if output.status.success() => {
            let names = String::from_utf8_lossy(&output.stdout).into_owned();
            names.split('\0').filter(|name| !name.is_empty()).map(str::to_owned).collect()
        }
        _ => {
            let mut files = Vec::new();
            walk(root, root, &mut files)?;
            files
        }
    };
    files.sort();
    files.dedup();
    Ok(files)
}

fn walk(root: &Path, dir: &Path, files: &mut Vec<String>) -> anyhow::Result<()> {
    let entries = std::fs::read_dir(dir).with_context(|| format!("cannot list {}", dir.display()))?;
    for entry in entries {
        let path: PathBuf = entry?.path();
        let name = path.file_name().unwrap_or_default();
        if path.is_dir() {
            if name != "target" && name != ".git" {
                walk(root, &path, files)?;
            }
        } else if let Ok(relative) = path.strip_prefix(root) {
            files.push(relative.to_string_lossy().replace('\\', "/"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn test_blocks_do_not_count_and_code_after_them_does() {
        let text = "//! Doc.\nfn a() {}\n#[cfg(test)]\nmod tests {\n    fn b() {\n    }\n}\nfn c() {}\n";
        assert_eq!(counted_lines(text), 3);
    }

    #[test]
    fn a_nested_test_block_ends_at_its_own_brace() {
        let text = "mod m {\n    #[cfg(test)]\n    mod tests {\n        fn b() {}\n    }\n    fn c() {}\n}\n";
        assert_eq!(counted_lines(text), 3);
    }

    #[test]
    fn a_test_module_in_a_file_of_its_own_hides_nothing() {
        let text = "#[cfg(test)]\nmod tests;\nfn a() {}\n";
        assert_eq!(counted_lines(text), 3);
    }

    #[test]
    fn long_files_are_named_with_their_length_but_not_under_tests() {
        let text = format!("//! Doc.\n{}", "fn a() {}\n".repeat(MAX_LINES));
        assert_eq!(check_file("crates/x/src/a.rs", &text).len(), 1);
        assert!(check_file("crates/x/src/a.rs", &text)[0].contains("601 lines"));
        assert_eq!(check_file("crates/x/tests/a.rs", &text), [""; 0]);
    }

    #[test]
    fn blanks_at_line_ends_and_missing_docs_are_found() {
        assert_eq!(check_file("a.rs", "fn a() {}\n"), ["a.rs: does not begin with a module doc (`//!`)"]);
        assert_eq!(check_file("a.md", "text \n"), ["a.md:1: ends with a blank"]);
    }

    #[test]
    fn absolute_paths_of_a_machine_are_found_and_similar_words_are_not() {
        for folder in FOREIGN_FOLDERS {
            assert_eq!(foreign_folder(&format!("see `{folder}x`")), Some(folder));
            assert_eq!(foreign_folder(&format!("see sub{folder}x")), None);
        }
    }
}
