//! Known answers of clip sampling.

use glam::{DVec3, Quat, Vec3};
use sinew_model::{Channel, Clip, Interpolation, LocalTransform, NodeIndex, Track};

use super::{apply_clip, clip_morph_weights};

const NODE: NodeIndex = NodeIndex(0);

fn clip(times_s: &[f32], interpolation: Interpolation, track: Track) -> Clip {
    Clip { name: None, channels: vec![Channel { node: NODE, times_s: times_s.to_vec(), interpolation, track }] }
}

fn at(clip: &Clip, time_s: f32) -> LocalTransform {
    let mut locals = [LocalTransform::IDENTITY];
    apply_clip(clip, time_s, &mut locals);
    locals[0]
}

fn x(values: &[f32]) -> Track {
    Track::Translation(values.iter().map(|&x| Vec3::new(x, 0.0, 0.0)).collect())
}

#[track_caller]
fn check_x(clip: &Clip, moments: &[(f32, f64)]) {
    for &(time_s, expected) in moments {
        let found = at(clip, time_s).translation.x;
        assert!((found - expected).abs() < 1e-6, "at {time_s} s: {found}, expected {expected}");
    }
}

#[test]
fn linear_keys_are_joined_by_straight_lines_and_hold_outside() {
    let clip = clip(&[1.0, 2.0, 4.0], Interpolation::Linear, x(&[0.0, 10.0, 0.0]));
    check_x(&clip, &[(-5.0, 0.0), (1.0, 0.0), (1.25, 2.5), (2.0, 10.0), (3.0, 5.0), (4.0, 0.0), (99.0, 0.0)]);
}

#[test]
fn step_keys_hold_until_the_next_key() {
    let clip = clip(&[0.0, 1.0], Interpolation::Step, x(&[3.0, 7.0]));
    check_x(&clip, &[(0.0, 3.0), (0.999, 3.0), (1.0, 7.0)]);
}

#[test]
fn cubic_keys_follow_their_tangents_scaled_by_the_span() {
    // Hermite from 0 to 1 over 2 s with slope 1 per second at both ends (2 a span) and flat outside.
    let clip = clip(&[0.0, 2.0], Interpolation::CubicSpline, x(&[9.0, 0.0, 1.0, 1.0, 1.0, 9.0]));
    // Middle: 0.5·0 + 2·0.125·1 + 0.5·1 − 2·0.125·1.
    check_x(&clip, &[(-1.0, 0.0), (0.0, 0.0), (1.0, 0.5), (2.0, 1.0), (3.0, 1.0)]);
    // A quarter of the way: 0.15625·1 + 2·0.140625 − 2·0.046875.
    check_x(&clip, &[(0.5, 0.343_75)]);
}

#[test]
fn rotations_take_the_short_way_at_even_speed() {
    let (from, to) = (Quat::IDENTITY, -Quat::from_rotation_z(1.2));
    let clip = clip(&[0.0, 1.0], Interpolation::Linear, Track::Rotation(vec![from, to]));
    let third = at(&clip, 1.0 / 3.0).rotation * DVec3::X;
    assert!((third - DVec3::new(0.4f64.cos(), 0.4f64.sin(), 0.0)).length() < 1e-6, "{third}");
}

#[test]
fn a_cubic_rotation_is_normalised() {
    let flat = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    let to = Quat::from_rotation_z(1.0);
    let track = Track::Rotation(vec![flat, Quat::IDENTITY, flat, flat, to, flat]);
    let half = at(&clip(&[0.0, 1.0], Interpolation::CubicSpline, track), 0.5).rotation;
    assert!((half.length() - 1.0).abs() < 1e-12);
    assert!((half * DVec3::X - DVec3::new(0.5f64.cos(), 0.5f64.sin(), 0.0)).length() < 1e-6);
}

#[test]
fn malformed_channels_move_nothing() {
    let broken = [
        clip(&[], Interpolation::Linear, x(&[])),
        clip(&[0.0, 1.0], Interpolation::Linear, x(&[5.0])),
        clip(&[0.0, 1.0], Interpolation::CubicSpline, x(&[5.0, 5.0])),
        clip(&[0.0], Interpolation::Linear, x(&[f32::NAN])),
        clip(&[0.0], Interpolation::Linear, Track::Rotation(vec![Quat::from_xyzw(0.0, 0.0, 0.0, 0.0)])),
    ];
    for clip in &broken {
        for time_s in [f32::NEG_INFINITY, 0.0, 0.5, f32::NAN, f32::INFINITY] {
            assert_eq!(at(clip, time_s), LocalTransform::IDENTITY);
        }
    }
    let mut elsewhere = clip(&[0.0], Interpolation::Linear, x(&[5.0]));
    elsewhere.channels[0].node = NodeIndex(77);
    assert_eq!(at(&elsewhere, 0.0), LocalTransform::IDENTITY);
}

#[test]
fn keys_that_do_not_rise_give_finite_values() {
    let clip = clip(&[1.0, 1.0, 0.5, f32::NAN], Interpolation::Linear, x(&[1.0, 2.0, 3.0, 4.0]));
    for time_s in [0.0, 0.7, 1.0, 2.0, f32::NAN] {
        assert!(at(&clip, time_s).translation.is_finite());
    }
}

#[test]
fn morph_weights_of_several_targets_are_mixed_together() {
    let track = Track::MorphWeights { n_targets: 2, weights: vec![0.0, 1.0, 1.0, 0.0] };
    let good = clip(&[0.0, 1.0], Interpolation::Linear, track);
    assert_eq!(clip_morph_weights(&good, 0.25, NODE), Some(vec![0.25, 0.75]));
    assert_eq!(clip_morph_weights(&good, 0.25, NodeIndex(1)), None);
    let short = Track::MorphWeights { n_targets: 3, weights: vec![0.0; 4] };
    assert_eq!(clip_morph_weights(&clip(&[0.0, 1.0], Interpolation::Linear, short), 0.5, NODE), None);
}

#[test]
fn cubic_morph_weights_take_the_middle_of_each_key() {
    // Per key: in-tangents, values, out-tangents, two targets each.
    let key = |a: f32, b: f32| vec![0.0, 0.0, a, b, 0.0, 0.0];
    let weights = [key(0.0, 1.0), key(1.0, 0.5)].concat();
    let clip = clip(&[0.0, 1.0], Interpolation::CubicSpline, Track::MorphWeights { n_targets: 2, weights });
    assert_eq!(clip_morph_weights(&clip, 0.0, NODE), Some(vec![0.0, 1.0]));
    assert_eq!(clip_morph_weights(&clip, 0.5, NODE), Some(vec![0.5, 0.75]));
}
