//! Journals on the disk: appended, found again, kept apart, taken away.

use super::*;

const MODEL: &str = "models/arm 10%.glb";

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

fn begun(folder: &Path) -> JournalFile {
    JournalFile::create(folder, Path::new(MODEL), "header of arm").expect("a journal")
}

/// What a program leaves that is killed: the file, and no lock.
fn killed(journal: JournalFile) -> PathBuf {
    journal.path().to_owned()
}

fn headers(folder: &Path) -> Vec<String> {
    leftovers(folder).expect("a list").into_iter().map(|leftover| leftover.header).collect()
}

#[test]
fn what_a_killed_program_wrote_is_found_with_its_header_and_lines() {
    let folder = folder();
    let state = folder.path().join("state/journals");
    let mut journal = begun(&state);
    journal.append(&["lock joint=A", "undo"]).expect("written");
    journal.append(&[String::from("redo")]).expect("written");
    let path = killed(journal);
    let mut found = leftovers(&state).expect("a list");
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].path(), found[0].header.as_str()), (path.as_path(), "header of arm"));
    assert_eq!(found[0].read().expect("text"), "header of arm\nlock joint=A\nundo\nredo\n");
    found.remove(0).remove().expect("removed");
    assert!(headers(&state).is_empty() && !path.exists());
}

#[test]
fn a_journal_in_use_is_no_leftover_and_a_leftover_is_offered_once() {
    let folder = folder();
    let journal = begun(folder.path());
    assert!(headers(folder.path()).is_empty());
    killed(journal);
    let held = leftovers(folder.path()).expect("a list");
    assert_eq!(held.len(), 1);
    assert!(headers(folder.path()).is_empty(), "another window holds it");
    drop(held);
    assert_eq!(headers(folder.path()).len(), 1);
}

#[test]
fn ending_in_order_leaves_nothing() {
    let folder = folder();
    let mut journal = begun(folder.path());
    journal.append(&["undo"]).expect("written");
    journal.remove().expect("removed");
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
}

#[test]
fn a_second_journal_of_a_model_leaves_the_first_alone() {
    let folder = folder();
    let mut first = begun(folder.path());
    first.append(&["undo"]).expect("written");
    let path = killed(first);
    let second = begun(folder.path());
    assert_ne!(second.path(), path);
    let other = JournalFile::create(folder.path(), Path::new("models/leg.glb"), "header of leg").expect("a journal");
    assert_eq!(fs::read_to_string(&path).expect("text"), "header of arm\nundo\n");
    killed(second);
    killed(other);
    let mut found = headers(folder.path());
    found.sort();
    assert_eq!(found, ["header of arm", "header of arm", "header of leg"]);
}

#[test]
fn a_leftover_is_gone_on_with_behind_the_lines_that_were_done_again() {
    for (n_lines, expected) in
        [(2, "header of arm\na\nb\nnew\n"), (1, "header of arm\na\nnew\n"), (9, "header of arm\na\nb\nnew\n")]
    {
        let folder = folder();
        let mut journal = begun(folder.path());
        journal.append(&["a", "b"]).expect("written");
        let path = killed(journal);
        // Killed while a line was on its way, in the middle of a letter.
        OpenOptions::new()
            .append(true)
            .open(&path)
            .and_then(|mut file| file.write_all(b"half a l\xC3"))
            .expect("written");
        let mut resumed = leftovers(folder.path()).expect("a list").remove(0).resume(n_lines).expect("resumed");
        resumed.append(&["new"]).expect("written");
        assert_eq!(fs::read_to_string(&path).expect("text"), expected);
        assert!(headers(folder.path()).is_empty(), "in use again");
    }
}

#[test]
fn after_a_failed_write_later_lines_do_not_run_into_its_remains() {
    let folder = folder();
    let mut journal = begun(folder.path());
    let path = journal.path().to_owned();
    // A disk that took half of a line and then failed.
    OpenOptions::new()
        .append(true)
        .open(&path)
        .and_then(|mut file| file.write_all(b"half a long line"))
        .expect("written");
    journal.is_torn = true;
    journal.append(&["a"]).expect("written");
    assert_eq!(fs::read_to_string(&path).expect("text"), "header of arm\na\n");
}

#[test]
fn a_line_that_is_two_is_refused() {
    let folder = folder();
    let mut journal = begun(folder.path());
    for line in ["a\nb", "a\r"] {
        assert!(matches!(journal.append(&["fine", line]), Err(JournalFileError::LineBreak { .. })));
    }
    assert_eq!(fs::read_to_string(journal.path()).expect("text"), "header of arm\n");
    assert!(JournalFile::create(folder.path(), Path::new("leg.glb"), "two\nlines").is_err());
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
}

#[test]
fn what_is_no_journal_is_passed_over() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("empty.journal"), "").expect("written");
    fs::write(path("cut.journal"), "header without its en").expect("written");
    fs::write(path("bytes.journal"), b"\xFF\xFE\n").expect("written");
    fs::write(path("long.journal"), "x".repeat(1 << 20)).expect("written");
    fs::write(path("notes.txt"), "header\n").expect("written");
    fs::create_dir(path("folder.journal")).expect("made");
    assert!(headers(folder.path()).is_empty());
    assert!(headers(&path("not there")).is_empty());
    assert!(matches!(leftovers(&path("notes.txt")), Err(JournalFileError::Disk { .. })));
}

#[test]
fn a_folder_that_cannot_be_made_is_an_error() {
    let folder = folder();
    let file = folder.path().join("file");
    fs::write(&file, "").expect("written");
    let error = JournalFile::create(&file, Path::new(MODEL), "header").expect_err("no folder").to_string();
    assert!(error.starts_with("cannot make the folder of the journal") && error.ends_with("file"), "{error}");
}

#[test]
fn a_journal_larger_than_any_session_is_not_read() {
    let folder = folder();
    let journal = begun(folder.path());
    journal.file.0.set_len(MOST_BYTES + 1).expect("grown");
    killed(journal);
    let mut found = leftovers(folder.path()).expect("a list");
    assert!(matches!(found[0].read(), Err(JournalFileError::TooLarge { .. })));
}

/// Set for the program that is to be killed: the folder it writes to.
const CHILD_FOLDER: &str = "SINEW_TEST_JOURNAL_FOLDER";

#[test]
fn a_program_killed_at_any_moment_leaves_every_line_it_was_told_is_kept() {
    if let Some(folder) = std::env::var_os(CHILD_FOLDER) {
        let mut journal = begun(Path::new(&folder));
        for n in 0.. {
            journal.append(&[format!("line {n}")]).expect("written");
            println!("kept {n}");
        }
    }
    let folder = folder();
    let this_program = std::env::current_exe().expect("a program");
    let mut child = std::process::Command::new(this_program)
        .args([
            "--exact",
            "--nocapture",
            "journal_file::tests::a_program_killed_at_any_moment_leaves_every_line_it_was_told_is_kept",
        ])
        .env(CHILD_FOLDER, folder.path())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("runs");
    let mut said = BufReader::new(child.stdout.take().expect("its words")).lines();
    let number = |line: String| line.strip_prefix("kept ").and_then(|number| number.parse::<usize>().ok());
    let is_enough = said.by_ref().map_while(Result::ok).filter_map(number).any(|number| number == 20);
    assert!(is_enough, "the other program ended by itself");
    assert!(headers(folder.path()).is_empty(), "in use by another program");
    child.kill().expect("killed");
    child.wait().expect("ended");
    let n_kept = said.map_while(Result::ok).filter_map(number).last().unwrap_or(20) + 1;
    let mut found = leftovers(folder.path()).expect("a list");
    let text = found[0].read().expect("text");
    let lines: Vec<&str> = text.lines().skip(1).collect();
    assert!(lines.len() >= n_kept, "{} of {n_kept}", lines.len());
    assert!(lines[..n_kept].iter().enumerate().all(|(n, line)| *line == format!("line {n}")), "{text}");
}
