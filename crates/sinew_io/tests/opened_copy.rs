//! The copy of an opened model opens as the model did, whatever became of the model.

use std::fs;

use sinew_io::{Progress, keep_opened, open, open_kept};
use sinew_tests::strip;

#[test]
fn a_copy_opens_with_the_buffers_of_then() {
    let folder = tempfile::tempdir().unwrap();
    let mut files = strip().gltf_files("strip");
    // A name that must not lead out of the copy's folder.
    let text = String::from_utf8(files[0].1.clone()).unwrap().replace("strip.bin", "../strip.bin");
    files[0].1 = text.into_bytes();
    fs::create_dir(folder.path().join("models")).unwrap();
    let model = folder.path().join("models").join(&files[0].0);
    fs::write(&model, &files[0].1).unwrap();
    let bin = folder.path().join("strip.bin");
    fs::write(&bin, &files[1].1).unwrap();
    let opened = open(&model).unwrap();
    let copy = folder.path().join("state/ab.opened");
    keep_opened(&opened.source, &copy).unwrap();
    fs::write(&model, "{}").unwrap();
    fs::write(&bin, vec![0; files[1].1.len()]).unwrap();
    let again = open_kept(&copy, Some(&model), Progress::default()).unwrap();
    assert_eq!(again.source.fingerprint(), opened.source.fingerprint());
    assert_eq!(again.source.path, opened.source.path);
    assert_eq!(again.document.meshes()[0].positions, opened.document.meshes()[0].positions);
    // Other buffers under the same text are another model.
    fs::write(&model, &files[0].1).unwrap();
    assert_ne!(open(&model).unwrap().source.fingerprint(), opened.source.fingerprint());
    assert!(open_kept(&folder.path().join("state/none.opened"), None, Progress::default()).is_err());
}
