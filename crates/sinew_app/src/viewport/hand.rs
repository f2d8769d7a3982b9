//! What is in the hand over the view: a brush, the mask brush, the selection, a gradient. Any of them is put away by
//! taking another: there is no mode to leave.

use std::ops::RangeInclusive;

use sinew_edit::{Curve, Editor, GradientShape};

use super::Viewport;
use super::select::{SelectBy, SelectSettings};

/// What the left button does on the skin.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Hand {
    /// Paints weights.
    #[default]
    Brush,
    /// Paints the mask.
    Mask,
    /// Selects vertices.
    Select,
    /// Lays a gradient.
    Gradient,
}

/// How a gradient is laid.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GradientSettings {
    /// Its shape.
    pub shape: GradientShape,
    /// The weight from its begin to its end.
    pub profile: Curve,
    /// Whether vertices beyond its ends are meant, too.
    pub beyond: bool,
    /// Whether only joints that a vertex already has may gain.
    pub existing: bool,
    /// Whether only the connected part under its begin is meant, where nothing is selected: a blend over an elbow leaves
    /// hair, bag and skirt alone.
    pub connected: bool,
}

/// What is in the hand, and how the others were last held.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct InHand {
    /// Which.
    pub hand: Hand,
    /// How vertices are selected.
    pub select: SelectSettings,
    /// The numbers that vertices were last selected by.
    pub select_by: SelectBy,
    /// How a gradient is laid.
    pub gradient: GradientSettings,
    /// How much of a change a vertex takes under the mask brush.
    pub mask_value: f32,
}

/// The size of the brush on screen, where that is kept.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct ScreenSize {
    /// The radius, points; none where the size on the model is kept.
    pub points: Option<u16>,
    /// The radius that was last made of it, scene units: another one was chosen by hand.
    made: Option<f32>,
}

impl Default for GradientSettings {
    fn default() -> Self {
        Self { shape: GradientShape::Linear, profile: Curve::LINE, beyond: false, existing: false, connected: true }
    }
}

impl Default for InHand {
    fn default() -> Self {
        Self {
            hand: Hand::Brush,
            select: SelectSettings::default(),
            select_by: SelectBy::default(),
            gradient: GradientSettings::default(),
            mask_value: 0.0,
        }
    }
}

impl Viewport {
    /// Takes something else in the hand; what was begun with the other is taken back.
    pub fn take_in_hand(&mut self, editor: &mut Editor, hand: Hand) {
        if self.in_hand.hand != hand {
            self.cancel_tools(editor);
            self.in_hand.hand = hand;
        }
    }

    /// What a radius may be: from a two-thousandth of the model's size to more than all of it, rounded so that it can be
    /// said.
    pub fn radius_range(&self) -> RangeInclusive<f32> {
        let size = self.bounds.diagonal();
        if self.bounds.is_empty() || !size.is_finite() || size <= 0.0 {
            return 1e-6..=1e6;
        }
        let round = |number: f32, to: fn(f32) -> f32| {
            let figure = 10f32.powf(number.log10().floor());
            to(number / figure) * figure
        };
        round(size / 2000.0, f32::floor)..=round(size * 1.5, f32::ceil)
    }

    /// Keeps the brush as large on screen as it was, if that is wished. A radius that was chosen by hand is as large on
    /// screen as it is now.
    pub fn keep_screen_size(&mut self, editor: &mut Editor) {
        let Some(points) = self.screen_size.points else {
            self.screen_size.made = None;
            return;
        };
        if self.area.is_empty() || editor.stroke().is_some() {
            return;
        }
        let view = self.view();
        let at = self.hover.map_or(view.camera.target, |hit| hit.point);
        let points_per_unit = view.px_per_unit(at) / self.area.pixels_per_point;
        let radius = editor.session.brush.radius;
        if points == 0 || self.screen_size.made != Some(radius) {
            let points = (radius * points_per_unit).round().clamp(1.0, f32::from(u16::MAX)) as u16;
            self.screen_size = ScreenSize { points: Some(points), made: Some(radius) };
            return;
        }
        let wanted = f32::from(points) / points_per_unit;
        if wanted.is_finite() && wanted > 0.0 {
            editor.session.brush.radius = wanted;
            self.screen_size.made = Some(wanted);
        }
    }
}

impl ScreenSize {
    /// So many points from now on.
    pub fn set(&mut self, editor: &mut Editor, points: u16) {
        if let Some(now) = self.points.filter(|&now| now > 0) {
            editor.session.brush.radius *= f32::from(points.max(1)) / f32::from(now);
            (self.points, self.made) = (Some(points.max(1)), Some(editor.session.brush.radius));
        }
    }
}
