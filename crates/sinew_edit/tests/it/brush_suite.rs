//! What every brush must keep, whatever it does to weights: one suite over all of them.

use glam::Vec3;
use sinew_edit::brushes::{BRUSHES, Brush, brush_named};
use sinew_edit::{Editor, SymmetrySettings};
use sinew_model::{JointSlot, Row};
use sinew_tests::{Scene, patch};
use sinew_weights::with_share;

use crate::{MESH, all_rows, editor, run};

const COLUMNS: u32 = 9;
const ROWS: u32 = 5;
const HEAD: u16 = 1;

/// A flat figure that is its own mirror image across x, triangles included: 9 columns at x = −4 … 4, 5 rows. Arms fade from
/// the tips to the spine, the head comes down from above, one vertex on each side does not fit its surroundings. The row
/// y = 2 stands twice: a seam.
pub fn figure() -> Scene {
    let mut scene = patch(8, 4);
    "spine".clone_into(&mut scene.nodes[0].name);
    "head".clone_into(&mut scene.nodes[1].name);
    scene.nodes[1].translation = Vec3::Y * 4.0;
    scene.add_joint(0, "arm.L", Vec3::X);
    scene.add_joint(0, "arm.R", -Vec3::X);
    scene.rebind(0);
    let primitive = scene.primitive();
    primitive.positions.iter_mut().for_each(|position| position.x -= 4.0);
    for v in 0..ROWS * COLUMNS {
        let (column, y) = (v % COLUMNS, v / COLUMNS);
        let x = column as f32 - 4.0;
        let arm = [0.0, 0.2, 0.5, 0.75, 0.9][x.abs() as usize];
        let head = 0.08 * y as f32 * (1.0 - arm);
        let side = if x > 0.0 { 2 } else { 3 };
        let mut row = vec![(0, 1.0 - arm - head), (1, head), (side, arm)];
        if (x.abs(), y) == (2.0, 1) {
            row = vec![(0, 0.1), (1, 0.85), (side, 0.05)];
        }
        row.retain(|&(_, weight)| weight > 0.0);
        primitive.rows[v as usize] = row;
    }
    let twin = |v: u32| if v / COLUMNS == 2 { ROWS * COLUMNS + v % COLUMNS } else { v };
    for v in 2 * COLUMNS..3 * COLUMNS {
        let (position, row) = (primitive.positions[v as usize], primitive.rows[v as usize].clone());
        primitive.positions.push(position);
        primitive.rows.push(row);
        primitive.normals.push(Vec3::Z);
    }
    let mut indices = Vec::new();
    for cell in 0..(ROWS - 1) * (COLUMNS - 1) {
        let (column, y) = (cell % (COLUMNS - 1), cell / (COLUMNS - 1));
        let a = y * COLUMNS + column;
        let corners = [a, a + 1, a + COLUMNS, a + COLUMNS + 1];
        // Above the seam the copies.
        let [a, b, c, d] = if y >= 2 { corners.map(twin) } else { corners };
        let left = column < (COLUMNS - 1) / 2;
        indices.extend(if left { [a, b, d, a, d, c] } else { [a, b, c, b, d, c] });
    }
    primitive.indices = Some(indices);
    scene
}

/// Three dabs over the left half, moving outward and up.
fn stroke(brush: &Brush, more: &str) -> String {
    let value = if brush.name == "grow" { 0.6 } else { 0.7 };
    let value = if brush.uses_value { format!("value={value} ") } else { String::new() };
    format!(
        "stroke joint=arm.L brush={} {value}strength=0.6 radius=1.8 {more} points=1.2,1,0;1.9,1.4,0;2.6,1.9,0",
        brush.name
    )
}

fn painted(brush: &Brush, before: &[&str], more: &str) -> (Editor, Vec<Row>) {
    let mut editor = editor(&figure());
    run(&mut editor, before);
    let rows = all_rows(&editor);
    run(&mut editor, &[&stroke(brush, more)]);
    (editor, rows)
}

fn changed(editor: &Editor, before: &[Row]) -> Vec<usize> {
    let after = all_rows(editor);
    (0..after.len()).filter(|&v| after[v] != before[v]).collect()
}

/// The variants under which everything below must hold.
const VARIANTS: [&str; 13] = [
    "",
    "mirror=x",
    "cap=yes",
    "cap=yes mirror=x iterations=2",
    "reach=volume gap=0.5 falloff=constant",
    "reach=screen eye=1.5,1.5,9",
    "existing=yes iterations=3",
    "lane=arm.L,spine",
    "give=parent falloff=curve curve=0,1;0.4,0.9;1,0",
    "with=head",
    "with=head mirror=x give=neighbours",
    "unassigned=yes",
    "with=arm.R unassigned=yes mirror=x iterations=2 lane=arm.L,arm.R,spine",
];

pub fn does_something_within_its_radius_and_nothing_beyond(brush: &Brush) {
    let (editor, before) = painted(brush, &[], "");
    let changed = changed(&editor, &before);
    assert!(!changed.is_empty(), "nothing happened");
    let positions = &editor.document().mesh(MESH).positions;
    for v in changed {
        let near = [Vec3::new(1.2, 1.0, 0.0), Vec3::new(1.9, 1.4, 0.0), Vec3::new(2.6, 1.9, 0.0)];
        assert!(near.iter().any(|dab| dab.distance(positions[v]) <= 1.8), "vertex {v} is out of reach");
    }
}

pub fn keeps_rows_whole_and_twins_equal(brush: &Brush) {
    for variant in VARIANTS {
        let (mut editor, _) = painted(brush, &[], variant);
        let surface = editor.surface(MESH);
        let weights = &editor.document().mesh(MESH).weights;
        for vertex in weights.vertices() {
            let row = weights.get(vertex);
            // Where the rest may be left open, only too much is wrong.
            let whole = if variant.contains("unassigned") { with_share(row.clone()) } else { row.clone() };
            assert_eq!(whole.check(), Ok(()), "{variant}: vertex {vertex}, {row:?}");
            assert_eq!(row, weights.get(surface.representative(surface.group_of(vertex))), "{variant}: twins parted");
        }
        assert_eq!(surface.n_seams, COLUMNS as usize, "the figure has a seam to tear");
    }
}

pub fn leaves_locks_hidden_and_masked_vertices_alone_to_the_bit(brush: &Brush) {
    let marks = ["lock joint=head", "mask vertices=12-14 value=0", "select vertices=23-25", "hide", "select_none"];
    for variant in VARIANTS {
        let (editor, before) = painted(brush, &marks, variant);
        let after = all_rows(&editor);
        for v in 0..after.len() {
            let (b, a) = (before[v].weight(JointSlot(HEAD)), after[v].weight(JointSlot(HEAD)));
            assert_eq!(b.to_bits(), a.to_bits(), "{variant}: the head is locked, vertex {v}");
        }
        // 50 to 52 are the hidden vertices' twins.
        for v in [12, 13, 14, 23, 24, 25, 50, 51, 52] {
            assert_eq!(after[v], before[v], "{variant}: vertex {v} is hidden or masked");
        }
    }
    // What is masked by half changes less than what is free.
    let (free, before) = painted(brush, &[], "cap=yes");
    let (half, _) = painted(brush, &["mask vertices=all value=0.5"], "cap=yes");
    let sum = |editor: &Editor| -> f32 {
        all_rows(editor).iter().zip(&before).map(|(after, before)| after.largest_change(before)).sum()
    };
    assert!(sum(&half) < sum(&free), "{} and {}", sum(&half), sum(&free));
    assert!(sum(&half) > 0.0);
}

pub fn keeps_to_the_budget_and_the_lane(brush: &Brush) {
    for variant in VARIANTS {
        let (editor, before) = painted(brush, &["budget influences=2"], variant);
        let after = all_rows(&editor);
        for v in changed(&editor, &before) {
            assert!(after[v].len() <= 2, "{variant}: vertex {v} has {:?}", after[v]);
        }
    }
    let (editor, before) = painted(brush, &[], "lane=arm.L,spine");
    for (after, before) in all_rows(&editor).iter().zip(&before) {
        let head = |row: &Row| row.weight(JointSlot(HEAD)).to_bits();
        assert_eq!(head(after), head(before), "the head is outside the lane");
    }
}

pub fn comes_back_by_undo_and_the_same_by_redo_and_replay(brush: &Brush) {
    for variant in VARIANTS {
        let (mut live, before) = painted(brush, &[], variant);
        let after = all_rows(&live);
        let mut replayed = editor(&figure());
        let script = live.script();
        script.lines().for_each(|line| run(&mut replayed, &[line]));
        assert_eq!(all_rows(&replayed), after, "{variant}");
        assert_eq!(replayed.script(), script, "{variant}: the line is written the same");
        live.undo().expect("a step");
        assert_eq!(all_rows(&live), before, "{variant}");
        live.redo().expect("a step");
        assert_eq!(all_rows(&live), after, "{variant}");
    }
}

pub fn is_symmetric_on_a_symmetric_figure_in_any_pose(brush: &Brush) {
    let x = SymmetrySettings::default();
    let more = ["cap=yes", "iterations=3 falloff=constant", "reach=volume", "with=head", "unassigned=yes"];
    for variant in std::iter::once("mirror=x".to_owned()).chain(more.map(|more| format!("mirror=x {more}"))) {
        let (mut editor, before) = painted(brush, &[], &variant);
        let asymmetry = editor.asymmetry(MESH, x);
        assert!(asymmetry.unmatched.is_empty());
        assert!(asymmetry.greatest < 2e-6, "{variant}: {}", asymmetry.greatest);
        let left = |&v: &usize| editor.document().mesh(MESH).positions[v].x < -0.5;
        assert!(changed(&editor, &before).iter().any(left), "{variant}: the other side was not painted");
    }
    // The plane itself, where a dab and its mirror image overlap.
    let mut over = editor(&figure());
    let line = stroke(brush, "mirror=x").replace("points=", "points=0.1,1,0;0.3,1.5,0;-0.2,2,0;");
    run(&mut over, &[&line]);
    assert!(over.asymmetry(MESH, x).greatest < 2e-6, "{}", over.asymmetry(MESH, x).greatest);
    // With one arm bent the same dabs, put where the skin is now, still paint both sides.
    let mut bent = editor(&figure());
    let before = all_rows(&bent);
    run(&mut bent, &["pose turns=arm.R:0,40,50;spine:0,20,0"]);
    let at: Vec<String> = [10, 11, 20, 21]
        .map(|v| bent.posed(0).posed.positions[v + 5])
        .iter()
        .map(|p| format!("{},{},{}", p.x, p.y, p.z))
        .collect();
    let line = stroke(brush, "mirror=x pose=arm.R:0,40,50;spine:0,20,0");
    let (line, _) = line.split_once("points=").expect("dabs");
    run(&mut bent, &[&format!("{line}points={}", at.join(";"))]);
    assert!(bent.asymmetry(MESH, x).greatest < 2e-6, "{}", bent.asymmetry(MESH, x).greatest);
    assert!(!changed(&bent, &before).is_empty());
}

pub fn once_a_stroke_means_once_however_often_a_dab_is_repeated(brush: &Brush) {
    let once = stroke(brush, "cap=yes");
    let (head, points) = once.split_once("points=").expect("dabs");
    // Each dab again and again, each time from where the one before was.
    let often = format!("{head}points={points};{points};{points}");
    let mut a = editor(&figure());
    run(&mut a, &[&once]);
    let mut b = editor(&figure());
    run(&mut b, &[&often]);
    if brush.name == "smear" {
        // The way back carries weight back: more dabs are another stroke, but never more than the strongest dab.
        return;
    }
    assert_eq!(all_rows(&a), all_rows(&b));
}

macro_rules! brush_tests {
    ($($brush:ident),* $(,)?) => {
        #[test]
        fn every_brush_is_under_test() {
            let mut tested = vec![$(stringify!($brush)),*];
            let mut all: Vec<&str> = BRUSHES.iter().map(|brush| brush.name).collect();
            tested.sort_unstable();
            all.sort_unstable();
            assert_eq!(tested, all);
        }
        $(
            mod $brush {
                use super::*;

                fn brush() -> &'static Brush {
                    brush_named(stringify!($brush)).expect("in the list")
                }

                #[test]
                fn does_something_within_its_radius_and_nothing_beyond() {
                    super::does_something_within_its_radius_and_nothing_beyond(brush());
                }

                #[test]
                fn keeps_rows_whole_and_twins_equal() {
                    super::keeps_rows_whole_and_twins_equal(brush());
                }

                #[test]
                fn leaves_locks_hidden_and_masked_vertices_alone_to_the_bit() {
                    super::leaves_locks_hidden_and_masked_vertices_alone_to_the_bit(brush());
                }

                #[test]
                fn keeps_to_the_budget_and_the_lane() {
                    super::keeps_to_the_budget_and_the_lane(brush());
                }

                #[test]
                fn comes_back_by_undo_and_the_same_by_redo_and_replay() {
                    super::comes_back_by_undo_and_the_same_by_redo_and_replay(brush());
                }

                #[test]
                fn is_symmetric_on_a_symmetric_figure_in_any_pose() {
                    super::is_symmetric_on_a_symmetric_figure_in_any_pose(brush());
                }

                #[test]
                fn once_a_stroke_means_once_however_often_a_dab_is_repeated() {
                    super::once_a_stroke_means_once_however_often_a_dab_is_repeated(brush());
                }
            }
        )*
    };
}

brush_tests!(replace, add, subtract, smooth, scale, grow, lighten, darken, sharpen, average, smear, hammer, erase,);

#[test]
fn the_inverse_of_a_brush_is_a_brush_and_leads_back() {
    use sinew_edit::brushes::Inverse;
    for brush in BRUSHES {
        if let Inverse::Brush(name) | Inverse::BrushAndValue(name) = brush.inverse {
            let inverse = brush_named(name).expect("in the list");
            assert!(
                matches!(inverse.inverse, Inverse::Brush(back) | Inverse::BrushAndValue(back) if back == brush.name),
                "{name} does not lead back to {}",
                brush.name
            );
        }
    }
}
