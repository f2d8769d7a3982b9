//! Pointer and keys while something else than a brush is in the hand.

use egui::{Key, Modifiers};
use glam::Vec2;
use sinew_edit::Editor;

use super::Viewport;
use super::hand::Hand;
use super::lay::{Kept, Laid, Next};
use super::mask_brush::MaskBrush;
use super::select::{How, SelectDrag};
use crate::action::{Action, Notice};

/// What is under way with it; at most one.
#[derive(Default)]
pub struct InUse {
    /// A box or lasso is drawn.
    pub(super) select: Option<SelectDrag>,
    /// The mask is painted.
    pub(super) mask: Option<MaskBrush>,
    /// A gradient is laid.
    pub(super) laid: Option<Laid>,
}

impl InUse {
    /// Takes back whatever has begun.
    pub fn cancel(&mut self, editor: &mut Editor) {
        self.select = None;
        if let Some(mask) = self.mask.take() {
            mask.cancel(editor);
        }
        if self.laid.take().is_some() {
            editor.abort_stroke();
        }
    }

    /// Whether the left button is down for it.
    pub fn is_dragging(&self) -> bool {
        self.select.is_some() || self.mask.is_some()
    }
}

/// The left button goes down over the view; `false` leaves it to the brush.
pub fn pressed(
    viewport: &mut Viewport,
    editor: &mut Editor,
    px: Vec2,
    modifiers: Modifiers,
    actions: &mut Vec<Action>,
) -> bool {
    let view = viewport.view();
    match viewport.in_hand.hand {
        Hand::Brush => return false,
        Hand::Select => viewport.tools.in_use.select = Some(SelectDrag::begin(px, How::of(modifiers))),
        Hand::Mask => {
            let value = viewport.in_hand.mask_value;
            // The other way round while Ctrl is held: what was protected takes changes again.
            let value = if modifiers.command { 1.0 - value } else { value };
            match MaskBrush::press(editor, &view, (px, value, viewport.pressure())) {
                Ok(mask) => viewport.tools.in_use.mask = mask,
                Err(reason) => actions.push(Action::Say(Notice::refused(reason))),
            }
        }
        Hand::Gradient => {
            let pixels_per_point = viewport.area.pixels_per_point;
            let takes = |laid: &mut Laid| laid.is_kept() || laid.grab(&view, pixels_per_point, px);
            match viewport.tools.in_use.laid.as_mut().map(takes) {
                Some(true) => {}
                Some(false) => keep(viewport, editor, actions),
                None => viewport.tools.in_use.laid = Laid::begin(editor, &view, px),
            }
        }
    }
    true
}

/// The pointer moves.
pub fn moved(viewport: &mut Viewport, editor: &mut Editor, px: Vec2) {
    let (view, pressure) = (viewport.view(), viewport.pressure());
    let draws = viewport.in_hand.select.draws;
    let in_use = &mut viewport.tools.in_use;
    if let Some(select) = &mut in_use.select {
        select.drag(px, draws);
    }
    if let Some(mask) = &mut in_use.mask {
        mask.drag(editor, &view, px, pressure);
    }
    if let Some(laid) = &mut in_use.laid {
        // It is shown once a frame, however many events there are.
        laid.drag(editor, &view, px);
    }
}

/// The left button comes up; `false` if it was not for this.
pub fn released(viewport: &mut Viewport, editor: &mut Editor, actions: &mut Vec<Action>) -> bool {
    if let Some(select) = viewport.tools.in_use.select.take() {
        let at = (&viewport.view(), viewport.area.pixels_per_point);
        let lines = select.lines(editor, at, viewport.in_hand.select);
        actions.extend(lines.into_iter().map(|line| Action::Line(line.to_string())));
        return true;
    }
    if let Some(mask) = viewport.tools.in_use.mask.take() {
        let outcome = mask.release(editor);
        actions.push(Action::Say(Notice::of_outcome(&outcome)));
        return true;
    }
    if let Some(laid) = &mut viewport.tools.in_use.laid {
        laid.release();
        if !laid.has_length() {
            viewport.tools.in_use.laid = None;
        }
        return true;
    }
    false
}

/// Keys while a gradient is laid; `false` leaves the key to others.
pub fn key(
    viewport: &mut Viewport,
    editor: &mut Editor,
    key: Key,
    modifiers: Modifiers,
    actions: &mut Vec<Action>,
) -> bool {
    if viewport.tools.in_use.laid.is_some() && key == Key::Enter && modifiers.is_none() {
        keep(viewport, editor, actions);
        return true;
    }
    false
}

/// Once a frame: shows a laid gradient as the bar and the session say now.
pub fn show_laid(viewport: &mut Viewport, ctx: &egui::Context, editor: &mut Editor, actions: &mut Vec<Action>) {
    let settings = viewport.in_hand.gradient;
    let Some(laid) = &mut viewport.tools.in_use.laid else { return };
    match laid.show(editor, &settings) {
        Ok(Next::Nothing) => {}
        Ok(Next::More) => ctx.request_repaint(),
        Ok(Next::Keep(line)) => {
            viewport.tools.in_use.laid = None;
            actions.push(Action::Line(line.to_string()));
        }
        Err(reason) => {
            viewport.tools.in_use.cancel(editor);
            actions.push(Action::Say(Notice::refused(reason)));
        }
    }
}

/// Keeps a laid gradient.
pub fn keep(viewport: &mut Viewport, editor: &mut Editor, actions: &mut Vec<Action>) {
    let settings = viewport.in_hand.gradient;
    let Some(laid) = viewport.tools.in_use.laid.as_mut().filter(|laid| !laid.is_kept()) else { return };
    // What was moved in this very frame counts.
    if let Err(reason) = laid.show(editor, &settings) {
        viewport.tools.in_use.cancel(editor);
        return actions.push(Action::Say(Notice::refused(reason)));
    }
    match laid.keep(editor) {
        Some(Kept::Later) => return,
        Some(Kept::Now(outcome)) => actions.push(Action::Say(Notice::of_outcome(&outcome))),
        None => editor.abort_stroke(),
    }
    viewport.tools.in_use.laid = None;
}

/// Draws the outline of what is being selected.
pub fn outline(viewport: &Viewport, ui: &egui::Ui) {
    let Some(select) = &viewport.tools.in_use.select else { return };
    if select.is_click(viewport.area.pixels_per_point) {
        return;
    }
    let outline = select.outline_px(viewport.in_hand.select.draws);
    let mut points: Vec<egui::Pos2> = outline.into_iter().map(|px| viewport.area.pos_of(px)).collect();
    if let Some(&first) = points.first() {
        points.push(first);
    }
    let painter = ui.painter().with_clip_rect(viewport.area.rect());
    let dark = egui::Stroke::new(2.5, egui::Color32::from_black_alpha(90));
    painter.add(egui::Shape::line(points.clone(), dark));
    let line = egui::Stroke::new(1.2, crate::theme::TEAL);
    painter.extend(egui::Shape::dashed_line(&points, line, 5.0, 3.0));
}
