//! The average brush over several meshes: one mean of all of them, joint by joint.

use sinew_edit::brushes::brush_named;
use sinew_edit::tools::{PaintModifiers, PaintTool};
use sinew_edit::{Editor, Falloff, Reach};
use sinew_model::{JointSlot, MeshIndex, NodeIndex, VertexIndex};
use sinew_tests::{Node, Scene, Skin, strip};

use crate::tools::pointer;
use crate::{assert_close, editor, run};

/// A body wholly on J0 and clothes on the same place, wholly on J1, each under a skin of its own: the clothes' lists the
/// given joints, by their place among J0, J1 and `Cloth`.
fn body_and_clothes(of_clothes: &[usize]) -> Scene {
    let mut scene = strip();
    scene.add_joint(1, "Cloth", glam::Vec3::Y);
    let joints = scene.skins[0].joints.clone();
    scene.skins.push(Skin { joints: of_clothes.iter().map(|&at| joints[at]).collect(), ..Skin::default() });
    scene.meshes.push(scene.meshes[0].clone());
    "Clothes".clone_into(&mut scene.meshes[1].name);
    let slot = of_clothes.iter().position(|&at| at == 1).expect("the clothes have J1") as u16;
    scene.meshes[0].primitives[0].rows.iter_mut().for_each(|row| *row = vec![(0, 1.0)]);
    scene.meshes[1].primitives[0].rows.iter_mut().for_each(|row| *row = vec![(slot, 1.0)]);
    let at = scene.nodes.iter().position(|node| node.mesh == Some(0)).expect("a node shows the strip");
    let node = scene.nodes[at].clone();
    scene.add_node(None, Node { mesh: Some(1), skin: Some(1), name: "Clothes".to_owned(), ..node });
    scene
}

fn weight(editor: &Editor, mesh: u32, joint: &str) -> f32 {
    let document = editor.document();
    let joint: NodeIndex = sinew_model::joint_named(document, None, joint).expect("a joint");
    let slot: Option<JointSlot> = document.slot_of(MeshIndex(mesh), joint);
    slot.map_or(0.0, |slot| document.mesh(MeshIndex(mesh)).weights.weight(VertexIndex(4), slot))
}

const LINE: &str =
    "stroke mesh=Strip joint=J1 brush=average radius=9 falloff=constant reach=volume meshes=Clothes points=0,1,0";

#[test]
fn an_average_is_each_meshs_own_or_that_of_all_by_joints_whatever_their_slots() {
    let scene = body_and_clothes(&[2, 1, 0]);
    let mut e = editor(&scene);
    run(&mut e, &[LINE]);
    assert_eq!([weight(&e, 0, "J0"), weight(&e, 1, "J1")], [1.0, 1.0], "each mesh is its own mean already");
    run(&mut e, &[&format!("{LINE} mean=all")]);
    for mesh in [0, 1] {
        assert_close(weight(&e, mesh, "J0"), 0.5);
        assert_close(weight(&e, mesh, "J1"), 0.5);
    }
    assert!(e.script().contains(" mean=all "), "{}", e.script());
    let mut again = editor(&scene);
    run(&mut again, &e.script().lines().collect::<Vec<_>>());
    assert_eq!(weight(&again, 1, "J0").to_bits(), weight(&e, 1, "J0").to_bits());
    run(&mut e, &["undo"]);
    assert_eq!([weight(&e, 0, "J0"), weight(&e, 1, "J1")], [1.0, 1.0], "one step");
}

#[test]
fn joints_that_a_mesh_does_not_have_leave_their_share_to_the_others() {
    let mut e = editor(&body_and_clothes(&[1, 2]));
    run(&mut e, &[&format!("{LINE} mean=all")]);
    assert_close(weight(&e, 0, "J0"), 0.5);
    assert_eq!(weight(&e, 1, "J1"), 1.0, "the clothes have no J0");
}

#[test]
fn iterations_and_the_mirror_go_by_the_common_mean_too() {
    // Halfway so often toward a mean that the two, equally many, do not move; in the mirror everything is reached twice.
    for (mirror, left) in [("", 0.5_f32.powi(3)), ("mirror=x", 0.5_f32.powi(6))] {
        let mut e = editor(&body_and_clothes(&[0, 1, 2]));
        run(&mut e, &[&format!("{LINE} mean=all strength=0.5 iterations=3 {mirror}")]);
        assert_close(weight(&e, 0, "J1"), 0.5 * (1.0 - left));
        assert_close(weight(&e, 1, "J1"), 1.0 - 0.5 * (1.0 - left));
    }
}

#[test]
fn the_hand_takes_the_common_mean_where_it_paints_all_meshes() {
    let mut e = editor(&body_and_clothes(&[2, 1, 0]));
    run(&mut e, &["joint name=J1"]);
    let brush = &mut e.session.brush;
    (brush.brush, brush.radius) = (brush_named("average").expect("a brush"), 9.0);
    (brush.falloff, brush.reach) = (Falloff::Constant, Reach::Volume);
    e.session.paint.all_meshes = true;
    let mut tool = PaintTool::default();
    tool.press(&mut e, pointer(0.0, 100.0), PaintModifiers::default()).expect("may paint");
    tool.release(&mut e);
    assert!(e.script().contains(" mean=all "), "{}", e.script());
    assert_close(weight(&e, 1, "J0"), 0.5);
}
