//! Marks as tints on the vertices: no weight, over budget, kept as it was, without a twin, masked.

use sinew_edit::{Editor, Refusal};
use sinew_model::{Budget, Revision, VertexIndex};
use sinew_render::{Color, RenderError, Renderer};

use super::super::display::ZeroHighlight;
use super::super::mark_dots;
use super::super::marks::Marks;
use super::super::options::ViewOptions;
use super::{InstanceBuffers, with_tails};

/// Tint of a vertex that locks kept from changing.
pub const BLOCKED_TINT: Color = Color([0xF0, 0xC0, 0x5A, 0x9C]);
/// Tint of a vertex that the budget kept from changing.
pub const BUDGET_TINT: Color = Color([0xFF, 0x8F, 0x6B, 0x9C]);
/// Tint of a vertex that has no other joint.
pub const ALONE_TINT: Color = Color([0x9A, 0xA0, 0xFF, 0x9C]);
/// Tint of a vertex without a twin on the other side.
pub const UNMATCHED_TINT: Color = Color([0x7D, 0x8C, 0xFF, 0xC0]);
/// Tint of a vertex without weight.
pub const UNWEIGHTED_TINT: Color = Color([0xE0, 0x4F, 0x9A, 0xD0]);

/// What tints were made from.
#[derive(Clone, Copy, PartialEq)]
pub struct Tints {
    weights: Revision,
    mask: Revision,
    refused_revision: u64,
    budget: Budget,
    is_shown: bool,
    /// The version of the left–right difference, while that is shown.
    left_right: Option<u64>,
    marks: Option<Marks>,
    /// Which marks are wanted: no weight, refused, over budget.
    wanted: [bool; 3],
}

/// The colour that says why a vertex kept its row.
pub fn refusal_tint(why: Refusal) -> Color {
    match why {
        Refusal::Blocked => BLOCKED_TINT,
        Refusal::Budget => BUDGET_TINT,
        Refusal::NoOtherJoint => ALONE_TINT,
    }
}

impl InstanceBuffers {
    pub(super) fn update_tints(
        &mut self,
        renderer: &Renderer,
        editor: &mut Editor,
        instance_idx: usize,
        (is_shown, left_right): (bool, Option<u64>),
        options: &ViewOptions,
    ) -> Result<(), RenderError> {
        let mesh = editor.document().instances()[instance_idx].mesh;
        let (display, marks) = (&options.display, options.marks);
        let made_of = Tints {
            weights: editor.document().mesh(mesh).weights_revision,
            mask: editor.document().mask_revision(mesh),
            refused_revision: editor.refused_revision(),
            budget: editor.document().budget(),
            is_shown,
            left_right,
            marks,
            wanted: [display.zero != ZeroHighlight::Off, display.refused, display.over_budget],
        };
        // While a stroke is under way the marks stay as they are: looking at every row would cost more than the dab.
        if self.tints_of == Some(made_of) || (self.tints_of.is_some() && editor.stroke().is_some()) {
            return Ok(());
        }
        let census = editor.census(mesh);
        let [unweighted, refused, over_budget] = made_of.wanted;
        let refused = editor.refused(mesh).filter(|_| refused);
        let has_any = (unweighted && !census.unweighted.is_empty())
            || (over_budget && !census.over_budget.is_empty())
            || refused.is_some()
            || !editor.document().mask(mesh).is_none()
            || marks.is_some();
        let has_marks = is_shown && has_any;
        let has_unmatched = left_right.is_some() && !self.unmatched.is_empty();
        if has_marks || has_unmatched || self.has_tints {
            let n = editor.document().mesh(mesh).n_vertices();
            let mut tints = vec![Color::TRANSPARENT; n];
            if has_unmatched {
                self.unmatched.iter().for_each(|v| tints[v.idx()] = UNMATCHED_TINT);
            }
            if has_marks {
                let mut mark = |v: VertexIndex, color| tints[v.idx()] = color;
                mark_dots::mask_tints(editor.document().mask(mesh)).for_each(|(v, tint)| mark(v, tint));
                if over_budget {
                    census.over_budget.iter().for_each(|&v| mark(v, Marks::OverBudget.tint()));
                }
                if unweighted {
                    census.unweighted.iter().for_each(|&v| mark(v, UNWEIGHTED_TINT));
                }
                refused.into_iter().flatten().for_each(|(&v, &why)| mark(v, refusal_tint(why)));
                if let Some(marks) = marks {
                    marks.of(&census).iter().for_each(|&v| mark(v, marks.tint()));
                }
            }
            self.mesh.set_tints(renderer, 0, &with_tails(tints, &self.tails))?;
            self.has_tints = has_marks || has_unmatched;
        }
        self.tints_of = Some(made_of);
        Ok(())
    }
}
