//! Poses: what counts, what does not, and that none reaches the file.

use glam::{Quat, Vec3};
use sinew_edit::pick::Ray;
use sinew_tests::{Channel, Clip, Mesh, Morph, Node, Primitive, Scene, Skin, pair, strip};

use crate::job::{Job, MESH, assert_all_near, assert_near};
use crate::stored::Stored;

const ANY_DAB: &str = "stroke joint=J1 value=0.9 radius=0.1 falloff=constant points=-0.5,1,0";

fn bend_clip(node: usize) -> Clip {
    let quarter = std::f32::consts::FRAC_1_SQRT_2;
    let channel = Channel {
        node,
        path: "rotation",
        times_s: vec![0.0, 1.0],
        values: vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.0, quarter, quarter],
        interpolation: "LINEAR",
    };
    Clip { name: "Bend".to_owned(), channels: vec![channel] }
}

/// Looks along −Z at a point of the plane z = 0.
fn down(x: f32, y: f32) -> Ray {
    Ray { origin: Vec3::new(x, y, 10.0), direction: -Vec3::Z }
}

#[test]
fn the_skinned_nodes_own_transform_places_nothing() {
    // B50
    let mut scene = strip();
    scene.nodes[2].translation = Vec3::X * 5.0;
    scene.nodes[2].scale = Some(Vec3::splat(3.0));
    scene.insert_parent(2, Node { rotation: Quat::from_rotation_y(std::f32::consts::FRAC_PI_2), ..Node::default() });
    scene.clips.push(bend_clip(2));
    let (mut moved, mut plain) = (Job::of(&scene), Job::of(&strip()));
    assert_eq!(moved.posed(0), plain.posed(0));
    moved.run(&["pose turns=J1:0,0,90 clip=Bend time=0.7"]);
    assert_eq!(moved.posed(0), plain.posed_in("J1:0,0,90", "lbs"));
    moved.run(&["reset_pose"]);
    let bounds = moved.editor.bounds();
    assert_near(bounds.min, Vec3::new(-0.5, 0.0, 0.0), 1e-6);
    assert_near(bounds.max, Vec3::new(0.5, 2.0, 0.0), 1e-6);
    assert_eq!(moved.editor.pick(down(-0.45, 1.0)).map(|hit| hit.vertex.0), Some(4));
    assert_eq!(moved.run(&[ANY_DAB]).n_vertices, 1, "the brush hits it there");
    plain.run(&[ANY_DAB]);
    assert_eq!(moved.all_rows(), plain.all_rows());
    let stored = Stored::of(&moved.save());
    assert_eq!(stored.json["nodes"], Stored::of(&moved.files).json["nodes"]);
}

#[test]
fn plain_nodes_between_joints_count_and_are_no_joints() {
    // B51
    let mut scene = strip();
    let offset = Node {
        translation: Vec3::Y * 0.4,
        rotation: Quat::from_rotation_z(30f32.to_radians()),
        ..Node::at("offset", Vec3::ZERO)
    };
    let joint_rest = offset.local().inverse() * glam::Mat4::from_translation(Vec3::Y);
    let (_, rotation, translation) = joint_rest.to_scale_rotation_translation();
    (scene.nodes[1].rotation, scene.nodes[1].translation) = (rotation, translation);
    scene.insert_parent(1, offset);
    scene.rebind(0);
    let mut job = Job::of(&scene);
    assert_all_near(&job.posed(0), &scene.primitive().positions, 1e-6);
    let names: Vec<String> = job.document().joints().iter().map(|&joint| job.document().nodes().label(joint)).collect();
    assert_eq!(names, ["J0", "J1"]);
    let error = job.editor.run("stroke joint=offset points=0,1,0").expect_err("a helper cannot be painted");
    assert!(error.to_string().contains("offset"), "{error}");
    // J1 stands upright (its own rest undoes the helper's turn), so it bends STRIP as ever.
    assert_near(job.posed_in("J1:0,0,90", "lbs")[7], Vec3::new(-0.25, 1.5, 0.0), 1e-6);
    job.run(&["set vertices=4 joint=J1 value=0.75"]);
    assert_eq!(Stored::of(&job.save()).json["nodes"], Stored::of(&job.files).json["nodes"]);
}

#[test]
fn whatever_is_on_screen_only_weights_reach_the_file() {
    // B52
    let mut scene = strip();
    scene.clips.push(bend_clip(1));
    let mut job = Job::of(&scene);
    let rest = job.posed(0);
    job.run(&["pose turns=J1:0,0,80 clip=Bend time=0.7", "deform by=dqs"]);
    assert_ne!(job.posed(0), rest);
    let tip = job.posed(0)[9];
    job.run(&[&format!(
        "stroke joint=J0 value=0.4 radius=0.2 falloff=constant pose=J1:0,0,80 clip=Bend time=0.7 deform=dqs points={},{},{}",
        tip.x, tip.y, tip.z
    )]);
    assert_eq!(job.edited()[&MESH].iter().map(|v| v.0).collect::<Vec<_>>(), [9]);
    let files = job.save();
    let (was, is) = (Stored::of(&job.files), Stored::of(&files));
    for part in ["nodes", "skins", "animations", "meshes"] {
        assert_eq!(was.json[part], is.json[part], "{part}");
    }
    let matrices = was.json["skins"][0]["inverseBindMatrices"].as_u64().expect("matrices") as usize;
    let position = was.attribute(0, 0, "POSITION").expect("positions");
    for accessor in [matrices, position] {
        assert!(was.elements(accessor) == is.elements(accessor));
    }
    assert_eq!(Job::open(files).posed(0)[..9], rest[..9]);
}

#[test]
fn picking_meets_what_is_shown() {
    // B54
    let mut job = Job::of(&strip());
    for deformer in ["lbs", "dqs"] {
        job.posed_in("J1:0,0,90", deformer);
        assert!(job.editor.pick(down(-0.99, 1.0)).is_some(), "{deformer}: the posed tip");
        assert!(job.editor.pick(down(0.0, 1.99)).is_none(), "{deformer}: where it was");
        job.run(&["reset_pose"]);
        assert!(job.editor.pick(down(0.0, 1.99)).is_some());
        assert!(job.editor.pick(down(-0.99, 1.0)).is_none());
    }
    let mut scene = strip();
    let lift = |v: usize| if v >= 8 { Vec3::Y * 0.5 } else { Vec3::ZERO };
    scene.primitive().morphs.push(Morph { positions: (0..10).map(lift).collect(), normals: Vec::new() });
    scene.meshes[0].morph_weights = vec![1.0];
    let mut job = Job::of(&scene);
    assert!(job.editor.pick(down(0.0, 2.49)).is_some());
    for deformer in ["lbs", "dqs"] {
        // The tip, lifted to (0, 2.5), turns to (−1.5, 1).
        job.posed_in("J1:0,0,90", deformer);
        assert!(job.editor.pick(down(-1.49, 1.0)).is_some(), "{deformer}");
        assert!(job.editor.pick(down(0.0, 2.49)).is_none(), "{deformer}");
    }
}

/// PAIR whose right strip hangs on a copy of the left joints under a parent that mirrors X.
fn mirrored_pair() -> Scene {
    let mut scene = pair();
    let mirror =
        scene.insert_parent(3, Node { scale: Some(Vec3::new(-1.0, 1.0, 1.0)), ..Node::at("mirror", Vec3::ZERO) });
    scene.nodes[3].translation = scene.nodes[1].translation;
    scene.nodes[4].translation = scene.nodes[2].translation;
    let primitive = scene.primitive();
    // The right strip is the left one's own vertices, under the mirroring joints.
    let left: Vec<Vec3> = primitive.positions[..10].to_vec();
    primitive.positions.truncate(10);
    primitive.positions.extend(left);
    primitive.normals = vec![Vec3::Z; 20];
    let inverse_bind = scene.skins[0].inverse_bind.as_mut().expect("matrices");
    inverse_bind[2] = inverse_bind[0];
    inverse_bind[3] = inverse_bind[1];
    assert_eq!(scene.nodes[mirror].children, [3]);
    scene
}

#[test]
fn a_mirrored_limb_is_the_mirror_image_in_rest_and_bent_and_is_lit() {
    // B55
    let mirror = |p: &Vec3| Vec3::new(-p.x, p.y, p.z);
    for deformer in ["lbs", "dqs"] {
        let mut job = Job::of(&mirrored_pair());
        for turns in ["L1:0,0,0", "L1:0,0,30;R1:0,0,30", "L1:20,10,30;R1:20,10,30"] {
            let posed = job.posed_in(turns, deformer);
            let expected: Vec<Vec3> = posed[..10].iter().map(mirror).collect();
            assert_all_near(&posed[10..], &expected, 1e-5);
            let normals = job.editor.posed(0).posed.normals.clone();
            let expected: Vec<Vec3> = normals[..10].iter().map(mirror).collect();
            assert_all_near(&normals[10..], &expected, 1e-5);
            assert!(normals.iter().all(|normal| normal.z > 0.5), "front faces look to the front: {normals:?}");
        }
        // The tip of the right strip, at (−2, 2), goes to the right about (−2, 1): the mirrored way.
        let bent = job.posed_in("R1:0,0,30", deformer);
        assert_near(bent[18].midpoint(bent[19]), Vec3::new(-2.0 + 0.5, 1.0 + 0.866_025_4, 0.0), 1e-5);
        job.run(&["reset_pose", "set vertices=14 joint=R1 value=0.75"]);
        assert_eq!(Stored::of(&job.save()).json["nodes"], Stored::of(&job.files).json["nodes"]);
    }
}

#[test]
fn normals_of_a_scaled_skin_lean_the_right_way() {
    // B56
    let diagonal = std::f32::consts::FRAC_1_SQRT_2;
    let mut scene = Scene::default();
    scene.add_node(None, Node { scale: Some(Vec3::new(4.0, 1.0, 1.0)), ..Node::at("J0", Vec3::ZERO) });
    scene.skins.push(Skin { joints: vec![0], ..Skin::default() });
    let quad = Primitive {
        positions: vec![Vec3::ZERO, Vec3::Z, Vec3::new(-1.0, 1.0, 1.0), Vec3::new(-1.0, 1.0, 0.0)],
        normals: vec![Vec3::new(diagonal, diagonal, 0.0); 4],
        rows: vec![vec![(0, 1.0)]; 4],
        indices: Some(vec![0, 2, 1, 0, 3, 2]),
        ..Primitive::default()
    };
    scene.meshes.push(Mesh { primitives: vec![quad], ..Mesh::default() });
    scene.add_node(None, Node { mesh: Some(0), skin: Some(0), ..Node::default() });
    for scale in [Vec3::new(4.0, 1.0, 1.0), Vec3::new(4.0, 1.0, 0.0), Vec3::ZERO] {
        scene.nodes[0].scale = Some(scale);
        let mut job = Job::of(&scene);
        for deformer in ["lbs", "dqs"] {
            job.posed_in("J0:0,0,0", deformer);
            for normal in &job.editor.posed(0).posed.normals {
                if scale.z == 1.0 {
                    assert_near(*normal, Vec3::new(0.242_535_6, 0.970_142_5, 0.0), 1e-6);
                }
                assert!((normal.length() - 1.0).abs() < 1e-5, "{scale}: {normal}");
            }
        }
    }
}

#[test]
fn morphs_come_before_the_skin_and_keep_their_bytes() {
    // B57
    let mut scene = strip();
    let lift = |v: usize| if v >= 8 { Vec3::Z } else { Vec3::ZERO };
    scene.primitive().morphs.push(Morph { positions: (0..10).map(lift).collect(), normals: Vec::new() });
    scene.meshes[0].morph_weights = vec![1.0];
    let mut job = Job::of(&scene);
    assert_near(job.posed_in("J1:0,0,90", "lbs")[9], Vec3::new(-1.0, 1.5, 1.0), 1e-6);
    assert_near(job.posed_in("J1:0,0,90", "dqs")[9], Vec3::new(-1.0, 1.5, 1.0), 1e-6);
    // Painted on the lifted, bent surface it is the same vertex's weights.
    job.run(&["stroke joint=J0 value=0.5 radius=0.1 falloff=constant pose=J1:0,0,90 points=-1,1.5,1"]);
    assert_eq!(job.edited()[&MESH].iter().map(|v| v.0).collect::<Vec<_>>(), [9]);
    assert_eq!(job.weight(9, 0), 0.5);
    let (was, is) = (Stored::of(&job.files), Stored::of(&job.save()));
    assert_eq!(was.json["meshes"], is.json["meshes"]);
    let target = was.json["meshes"][0]["primitives"][0]["targets"][0]["POSITION"].as_u64().expect("a target") as usize;
    assert!(was.elements(target) == is.elements(target));
}
