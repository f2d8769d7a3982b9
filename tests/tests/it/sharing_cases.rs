//! Skeletons, accessors and meshes that several parts of a file share.

use glam::{Mat4, Vec3};
use sinew_io::encode;
use sinew_tests::{Mesh, Node, Scene, Share, Skin, cube, strip};

use crate::job::{Job, assert_near, assert_same_files};
use crate::stored::Stored;

#[test]
fn three_meshes_with_skins_of_their_own_move_with_one_skeleton() {
    // B04
    let mut scene = cube(Vec3::ZERO, 0.5);
    scene.add_joint(0, "J1", Vec3::Y);
    scene.rows().iter_mut().for_each(|row| *row = vec![(1, 1.0)]);
    let places = [Vec3::new(1.0, 1.0, 0.0), Vec3::new(2.0, 1.0, 0.0), Vec3::new(0.0, 3.0, 0.0)];
    let cube = scene.meshes.remove(0);
    let joints = scene.skins.remove(0).joints;
    scene.nodes.remove(1);
    // The mesh node was node 1; J1 takes its number.
    scene.nodes[0].children = vec![1];
    scene.roots = vec![0];
    let joints: Vec<usize> = joints.iter().map(|&node| node.min(1)).collect();
    for (k, place) in places.into_iter().enumerate() {
        // Bound so that the mesh's origin stands at `place` while the joints are at rest.
        let inverse_bind = [Vec3::ZERO, Vec3::Y].map(|joint| Mat4::from_translation(place - joint)).to_vec();
        scene.skins.push(Skin { joints: joints.clone(), inverse_bind: Some(inverse_bind), ..Skin::default() });
        scene.meshes.push(Mesh { name: format!("Cube{k}"), ..cube.clone() });
        scene.add_node(None, Node { mesh: Some(k), skin: Some(k), ..Node::at(&format!("Cube{k}"), Vec3::ZERO) });
    }
    let mut job = Job::of(&scene);
    assert_eq!(job.document().joints().len(), 2, "one skeleton");
    let centre = |job: &mut Job, k: usize| job.posed(k).iter().sum::<Vec3>() / 8.0;
    for (k, place) in places.into_iter().enumerate() {
        assert_near(centre(&mut job, k), place, 1e-6);
    }
    job.run(&["pose turns=J1:0,0,90"]);
    let turned = [Vec3::new(0.0, 2.0, 0.0), Vec3::new(0.0, 3.0, 0.0), Vec3::new(-2.0, 1.0, 0.0)];
    for (k, place) in turned.into_iter().enumerate() {
        assert_near(centre(&mut job, k), place, 1e-6);
    }
    job.run(&["set vertices=0 joint=J0 value=0.5 mesh=Cube1"]);
    let stored = Stored::of(&job.save());
    assert_eq!((stored.n("skins"), stored.n("nodes"), stored.n("meshes")), (3, 5, 3));
    assert_eq!(job.reopen().edited().len(), 0);
}

#[test]
fn an_edit_shows_in_every_primitive_that_shares_all_and_in_none_that_shares_some() {
    // B08
    let mut scene = strip();
    let share = |attribute: &str| Share { attribute: attribute.to_owned(), mesh: 0, primitive: 0 };
    let mut second = scene.meshes[0].primitives[0].clone();
    second.shares = ["POSITION", "JOINTS_0", "WEIGHTS_0"].map(share).to_vec();
    let indices = second.indices.take().expect("STRIP is indexed");
    let (lower, upper) = indices.split_at(12);
    second.indices = Some(upper.to_vec());
    scene.primitive().indices = Some(lower.to_vec());
    scene.meshes[0].primitives.push(second.clone());
    second.shares = vec![share("JOINTS_0")];
    scene.meshes.push(Mesh { name: "other".to_owned(), primitives: vec![second], ..Mesh::default() });
    scene.add_node(None, Node { mesh: Some(1), skin: Some(0), ..Node::default() });
    // Off-sum rows would show a second normalising.
    scene.rows()[0] = vec![(0, 0.8), (1, 0.4)];
    let mut job = Job::of(&scene);
    job.run(&["stroke mesh=Strip joint=J1 value=1 radius=0.1 falloff=constant points=0.5,1,0", "normalize mesh=Strip"]);
    let other: Vec<_> = job.all_rows()[10..].to_vec();
    let files = job.save();
    let (was, is) = (Stored::of(&job.files), Stored::of(&files));
    for name in ["POSITION", "JOINTS_0", "WEIGHTS_0"] {
        assert_eq!(is.attribute(0, 0, name), is.attribute(0, 1, name), "{name}");
    }
    assert!(is.n("accessors") <= was.n("accessors") + 2, "at most one new JOINTS and one new WEIGHTS accessor");
    let mut back = Job::open(files);
    assert_eq!(back.weight(5, 1), 1.0);
    assert!((back.weight(0, 1) - 0.4 / 1.2).abs() < 1e-7, "normalised once");
    assert_eq!(back.all_rows()[10..], other, "the other mesh is as it was");
    // No crack at the border of the two primitives: both draw vertices 4 and 5 from one pool.
    assert_eq!(back.document().meshes()[0].pools.len(), 1);
    back.run(&["pose turns=J1:0,0,90"]);
    assert_eq!(back.posed(0).len(), 10);
}

#[test]
fn one_mesh_at_two_nodes_changes_at_both_at_once_and_stays_one_mesh() {
    // B37
    let mut scene: Scene = strip();
    scene.add_node(None, Node { mesh: Some(0), skin: Some(0), ..Node::at("copy", Vec3::X * 4.0) });
    let mut job = Job::of(&scene);
    job.run(&["pose turns=J1:0,0,90"]);
    let before = [job.posed(0)[3], job.posed(1)[3]];
    job.run(&["stroke joint=J1 value=1 radius=0.1 falloff=constant points=0.5,0.5,0"]);
    let after = [job.posed(0)[3], job.posed(1)[3]];
    // (.5, .5) turned about (0, 1) by 90° is (.5, 1.5).
    for k in 0..2 {
        assert_near(before[k], Vec3::new(0.5, 0.75, 0.0), 1e-6);
        assert_near(after[k], Vec3::new(0.5, 1.5, 0.0), 1e-6);
    }
    let stored = Stored::of(&job.save());
    assert_eq!((stored.n("meshes"), stored.n("accessors")), (1, Stored::of(&job.files).n("accessors")));
    let nodes = job.document().instances().iter().filter(|instance| instance.mesh.0 == 0).count();
    assert_eq!(nodes, 2, "the document says that two nodes use the mesh");
}

#[test]
fn a_node_that_was_made_unique_is_painted_saved_and_opened_apart_from_the_other() {
    // B37
    let mut scene: Scene = strip();
    scene.add_node(None, Node { mesh: Some(0), skin: Some(0), ..Node::at("copy", Vec3::ZERO) });
    let mut job = Job::of(&scene);
    job.run(&["pose turns=J1:0,0,90", "stroke joint=J1 value=1 radius=0.1 falloff=constant points=0.5,0.5,0"]);
    assert_eq!(job.posed(0), job.posed(1), "both nodes in the same frame");
    job.run(&["make_unique node=copy"]);
    // In this pose vertex 3 stands at (.5, 1.5), because it follows J1 wholly.
    let line = "stroke mesh=\"Strip (2)\" joint=J0 value=1 radius=0.1 falloff=constant pose=J1:0,0,90 points=0.5,1.5,0";
    assert_eq!(job.run(&[line]).n_vertices, 1);
    let kept = job.posed(0)[3];
    assert_near(kept, Vec3::new(0.5, 1.5, 0.0), 1e-6);
    assert_near(job.posed(1)[3], Vec3::new(0.5, 0.5, 0.0), 1e-6);

    let encoded = encode(job.document(), &job.source, job.source.kind(), "model.glb").expect("saved");
    assert!(encoded.report.everything_else_identical);
    let (was, is) = (Stored::of(&job.files), Stored::of(&encoded.files));
    // The copy has JOINTS_0 and WEIGHTS_0 of its own and shares the rest.
    assert_eq!((is.n("meshes"), is.n("nodes"), is.n("accessors")), (2, was.n("nodes"), was.n("accessors") + 2));
    assert_eq!(is.attribute(0, 0, "POSITION"), is.attribute(1, 0, "POSITION"));
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("unique.glb");
    std::fs::write(&path, &encoded.files[0].1).expect("written");
    sinew_tests::validate_gltf(&[&path], None).assert_no_warning();

    let mut back = Job::open(encoded.files);
    back.run(&["pose turns=J1:0,0,90"]);
    assert_eq!([back.posed(0)[3], back.posed(1)[3]], [job.posed(0)[3], job.posed(1)[3]]);
    assert_eq!(back.all_rows(), job.all_rows());

    let script = job.editor.script();
    let mut replayed = Job::of(&scene);
    replayed.run(&script.lines().collect::<Vec<_>>());
    assert_eq!(replayed.all_rows(), job.all_rows());

    job.run(&["undo", "undo", "undo"]);
    assert_eq!(job.all_rows(), Job::of(&scene).all_rows());
    let undone = encode(job.document(), &job.source, job.source.kind(), "model.glb").expect("saved");
    assert_same_files(&job.files, &undone.files, "undone and saved");
}
