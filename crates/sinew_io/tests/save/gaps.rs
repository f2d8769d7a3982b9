//! Files with half a set of weights: an edit that needs the set makes it whole, and leaves no gap.

use sinew_io::Imported;
use sinew_tests::{chain, validate_gltf};

use crate::harness::{assert_same_bytes, assert_same_rows, open_bytes, saved, saved_bytes, set, stored};

/// Eight joints and two sets, of which one attribute of the second was lost.
fn without(attribute: &str) -> Imported {
    let mut scene = chain(8);
    scene.primitive().n_sets = 2;
    // Whole without the second set, which holds a stray weight.
    scene.rows()[3] = vec![(0, 0.25), (1, 0.25), (2, 0.25), (3, 0.25), (4, 0.125)];
    let mut builder = scene.build();
    let attributes = builder.json["meshes"][0]["primitives"][0]["attributes"].as_object_mut();
    attributes.unwrap().remove(attribute).unwrap();
    open_bytes(&builder.glb())
}

#[test]
fn a_fifth_influence_completes_a_set_that_stood_alone() {
    let five = [0, 1, 2, 3, 4].map(|joint| (joint, 0.2));
    for missing in ["JOINTS_1", "WEIGHTS_1"] {
        let mut imported = without(missing);
        assert_same_bytes(&imported.source.original, &saved_bytes(&imported), "unedited");
        set(&mut imported, 0, &five);
        let encoded = saved(&imported);
        let said = &encoded.report.warnings;
        assert!(said.iter().any(|line| line.contains("JOINTS_1 and WEIGHTS_1")), "{said:?}");
        let back = open_bytes(&encoded.files[0].1);
        assert_same_rows(&imported.document, &back.document, 0.0);
        assert!(back.warnings.iter().all(|warning| !warning.to_string().contains("partner")), "{:?}", back.warnings);
        // What stood alone meant nothing before and means nothing now.
        assert_eq!(stored(&back, "WEIGHTS_1")[3], [0; 4]);
        let attributes = &back.source.json["meshes"][0]["primitives"][0]["attributes"];
        assert!(attributes.get("JOINTS_2").is_none() && attributes.get("WEIGHTS_2").is_none(), "{attributes}");

        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("completed.glb");
        std::fs::write(&path, &encoded.files[0].1).unwrap();
        validate_gltf(&[&path], None).assert_no_warning();
    }
}
