//! Scenes: what is read, and that a broken one costs a warning and nothing else.

use serde_json::json;
use sinew_io::ImportWarning;
use sinew_model::lookup::scene_named;
use sinew_model::{NodeIndex, SceneIndex};
use sinew_tests::{strip, two_scenes};

use crate::{changed, opened, opened_scene};

#[test]
fn scenes_have_their_names_their_roots_and_the_one_that_is_shown() {
    // B72
    let mut builder = two_scenes();
    builder.json["scene"] = json!(1);
    let imported = opened(builder.glb());
    let document = imported.document;
    let scenes: Vec<_> = document.scenes().iter().map(|s| (s.name.as_deref(), s.roots.clone())).collect();
    assert_eq!(scenes, [(Some("High"), vec![NodeIndex(2)]), (Some("Low"), vec![NodeIndex(3)])]);
    assert_eq!(document.default_scene(), Some(SceneIndex(1)));
    assert_eq!(imported.warnings, []);
    for (name, scene) in [("Low", Some(SceneIndex(1))), ("#0", Some(SceneIndex(0))), ("all", None)] {
        assert_eq!(scene_named(&document, name), Ok(scene));
    }
    assert!(scene_named(&document, "low").expect_err("no such scene").to_string().contains("\"Low\""));
}

#[test]
fn without_scenes_there_is_none_to_show() {
    // B72
    let document = opened(changed(&strip(), |json| {
        let json = json.as_object_mut().expect("an object");
        json.remove("scene");
        json.remove("scenes");
    }));
    assert_eq!(document.warnings, []);
    assert_eq!((document.document.scenes().len(), document.document.first_scene()), (0, None));
}

#[test]
fn what_is_wrong_with_scenes_is_a_warning_and_the_rest_of_them_stays() {
    // B72
    let broken =
        json!([{ "name": 7, "nodes": [0, 99, -1, 2] }, 5, { "name": "C", "nodes": "all" }, { "nodes": [2, 2, 0] }]);
    let imported = opened(changed(&strip(), |json| {
        json["scenes"] = broken;
        json["scene"] = json!(4);
    }));
    let paths: Vec<&str> = imported
        .warnings
        .iter()
        .map(|warning| match warning {
            ImportWarning::LeftOut { path, .. } => path.as_str(),
            other => panic!("{other}"),
        })
        .collect();
    assert_eq!(paths, ["scenes/0/name", "scenes/1", "scenes/2/nodes", "scene"]);
    let scenes = imported.document.scenes();
    assert_eq!(scenes[0].roots, [NodeIndex(0), NodeIndex(2)]);
    assert_eq!(scenes[2].name.as_deref(), Some("C"));
    assert_eq!(imported.document.default_scene(), None);
    assert_eq!(imported.document.nodes_in(SceneIndex(3)), [true, true, true], "a node named twice is walked once");
    let imported = opened(changed(&strip(), |json| json["scenes"] = json!(7)));
    assert!(imported.document.scenes().is_empty() && !imported.warnings.is_empty());
    assert_eq!(imported.document.nodes(), opened_scene(&strip()).document.nodes());
}
