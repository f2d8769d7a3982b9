//! Clip sampling (glTF 2.0, "Animations" and appendix C): a clip at a moment becomes local transforms.
//!
//! Before a channel's first key its first value holds, after its last key the last. A channel whose arrays do not fit
//! together, whose node does not exist or whose value is not finite moves nothing.

use glam::{DQuat, Quat, Vec3};
use sinew_model::{Channel, Clip, Interpolation, LocalTransform, NodeIndex, Track};

/// Overwrites what the clip moves in `locals`, the nodes' transforms to their parents. `[n_nodes]`
pub fn apply_clip(clip: &Clip, time_s: f32, locals: &mut [LocalTransform]) {
    for channel in &clip.channels {
        let Some(local) = locals.get_mut(channel.node.idx()) else { continue };
        match &channel.track {
            Track::Translation(values) => {
                if let Some(value) = sample_vec3(channel, values, time_s) {
                    local.translation = value.as_dvec3();
                }
            }
            Track::Scale(values) => {
                if let Some(value) = sample_vec3(channel, values, time_s) {
                    local.scale = value.as_dvec3();
                }
            }
            Track::Rotation(values) => {
                if let Some(value) = sample_quat(channel, values, time_s) {
                    local.rotation = value;
                }
            }
            Track::MorphWeights { .. } => {}
        }
    }
}

/// The morph weights that the clip gives a node, if it gives any. `[n_targets of the track]`
pub fn clip_morph_weights(clip: &Clip, time_s: f32, node: NodeIndex) -> Option<Vec<f32>> {
    clip.channels.iter().filter(|channel| channel.node == node).find_map(|channel| {
        let Track::MorphWeights { n_targets, weights } = &channel.track else { return None };
        let step = Step::at(channel, time_s)?;
        if *n_targets == 0
            || channel.times_s.len().checked_mul(per_key(channel))?.checked_mul(*n_targets) != Some(weights.len())
        {
            return None;
        }
        let value = |key: usize, target: usize| weights[key * n_targets + target];
        let mixed: Vec<f32> = (0..*n_targets).map(|target| step.mix(|key| value(key, target))).collect();
        mixed.iter().all(|weight| weight.is_finite()).then_some(mixed)
    })
}

fn sample_vec3(channel: &Channel, values: &[Vec3], time_s: f32) -> Option<Vec3> {
    let step = Step::at(channel, time_s).filter(|_| fits(channel, values.len()))?;
    Some(step.mix(|key| values[key])).filter(|value| value.is_finite())
}

fn sample_quat(channel: &Channel, values: &[Quat], time_s: f32) -> Option<DQuat> {
    let step = Step::at(channel, time_s).filter(|_| fits(channel, values.len()))?;
    let mixed = match step {
        Step::Linear { before, after, t } => {
            let (from, to) = (unit(values[before])?, unit(values[after])?);
            from.slerp(to, f64::from(t))
        }
        Step::Hold { .. } | Step::Cubic { .. } => step.mix(|key| Sum(values[key])).0.as_dquat(),
    };
    let length = mixed.length();
    (length.is_finite() && length > 1e-12).then(|| mixed / length)
}

/// Whether the channel has as many values as its keys need.
fn fits(channel: &Channel, n_values: usize) -> bool {
    channel.times_s.len().checked_mul(per_key(channel)) == Some(n_values)
}

/// Values a key takes.
fn per_key(channel: &Channel) -> usize {
    if channel.interpolation == Interpolation::CubicSpline { 3 } else { 1 }
}

/// A stored rotation as a unit quaternion.
fn unit(value: Quat) -> Option<DQuat> {
    let value = value.as_dquat();
    let length = value.length();
    (length.is_finite() && length > 1e-12).then(|| value / length)
}

/// Where a moment lies among a channel's keys. Indices are into the values.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// One value holds.
    Hold { value: usize },
    /// Between two values, `t` from 0 to 1.
    Linear { before: usize, after: usize, t: f32 },
    /// Between two keys of a cubic spline, `t` from 0 to 1, `span_s` seconds apart.
    Cubic { before: usize, after: usize, t: f32, span_s: f32 },
}

impl Step {
    /// `None` without keys. Keys that do not rise are survived, whatever comes out.
    fn at(channel: &Channel, time_s: f32) -> Option<Self> {
        let times = channel.times_s.as_slice();
        let last = times.len().checked_sub(1)?;
        let cubic = channel.interpolation == Interpolation::CubicSpline;
        // The value of a cubic key stands between its tangents.
        let value = |key: usize| if cubic { 3 * key + 1 } else { key };
        let passed = times.partition_point(|&key_s| key_s <= time_s);
        if passed == 0 || passed > last {
            return Some(Self::Hold { value: value(passed.min(last)) });
        }
        let (before, after) = (passed - 1, passed);
        let span_s = times[after] - times[before];
        let t = if span_s > 0.0 { ((time_s - times[before]) / span_s).clamp(0.0, 1.0) } else { 0.0 };
        Some(match channel.interpolation {
            Interpolation::Step => Self::Hold { value: before },
            Interpolation::Linear => Self::Linear { before, after, t },
            Interpolation::CubicSpline => Self::Cubic { before: value(before), after: value(after), t, span_s },
        })
    }

    /// The value at the moment.
    fn mix<T: Mix>(&self, value: impl Fn(usize) -> T) -> T {
        match *self {
            Self::Hold { value: key } => value(key),
            Self::Linear { before, after, t } => value(before).scaled(1.0 - t).plus(value(after).scaled(t)),
            Self::Cubic { before, after, t, span_s } => {
                let (t2, t3) = (t * t, t * t * t);
                let from = value(before).scaled(2.0 * t3 - 3.0 * t2 + 1.0);
                let out_tangent = value(before + 1).scaled(span_s * (t3 - 2.0 * t2 + t));
                let to = value(after).scaled(-2.0 * t3 + 3.0 * t2);
                let in_tangent = value(after - 1).scaled(span_s * (t3 - t2));
                from.plus(out_tangent).plus(to).plus(in_tangent)
            }
        }
    }
}

/// What keys can hold.
trait Mix {
    fn scaled(self, factor: f32) -> Self;
    fn plus(self, other: Self) -> Self;
}

impl Mix for f32 {
    fn scaled(self, factor: f32) -> Self {
        self * factor
    }
    fn plus(self, other: Self) -> Self {
        self + other
    }
}

impl Mix for Vec3 {
    fn scaled(self, factor: f32) -> Self {
        self * factor
    }
    fn plus(self, other: Self) -> Self {
        self + other
    }
}

/// A quaternion summed component by component, as cubic splines want it.
#[derive(Clone, Copy)]
struct Sum(Quat);

impl Mix for Sum {
    fn scaled(self, factor: f32) -> Self {
        Self(self.0 * factor)
    }
    fn plus(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

#[cfg(test)]
mod tests;
