//! Clips: channels that move nodes, read with our own accessor reader.

use glam::{Quat, Vec3};
use sinew_model::{Channel, Clip, Interpolation, NodeIndex, Track};

use crate::accessor::Accessors;
use crate::error::OpenError;
use crate::json::Json;
use crate::warning::ImportWarning;

/// Reads all clips. A channel that is not right is left out with a warning.
pub(super) fn read(
    root: Json<'_>,
    accessors: &Accessors<'_>,
    n_nodes: usize,
    warnings: &mut Vec<ImportWarning>,
) -> Result<Vec<Clip>, OpenError> {
    let mut clips = Vec::new();
    for json in root.list("animations")? {
        let samplers: Vec<Json<'_>> = json.list("samplers")?.collect();
        let mut channels = Vec::new();
        let mut n_pointers = 0;
        for channel in json.list("channels")? {
            match read_channel(channel, &samplers, accessors, n_nodes) {
                Ok(Some(channel)) => channels.push(channel),
                Ok(None) => n_pointers += 1,
                Err(reason) => {
                    warnings.push(ImportWarning::LeftOut { path: channel.path.to_string(), reason });
                }
            }
        }
        if n_pointers > 0 {
            let path = json.path.to_string();
            warnings.push(ImportWarning::PointerChannels { path, n_channels: n_pointers });
        }
        clips.push(Clip { name: json.text("name")?.map(str::to_owned), channels });
    }
    Ok(clips)
}

/// A channel; `None` if it moves no node.
fn read_channel(
    channel: Json<'_>,
    samplers: &[Json<'_>],
    accessors: &Accessors<'_>,
    n_nodes: usize,
) -> Result<Option<Channel>, String> {
    let read = || -> Result<Option<Result<Channel, String>>, OpenError> {
        let target = channel.need("target", "an object")?;
        let path = target.text("path")?.unwrap_or_default();
        let Some(node) = target.index("node", n_nodes)?.filter(|_| path != "pointer") else { return Ok(None) };
        let sampler = channel.need("sampler", "a sampler")?.as_index(samplers.len())?;
        let sampler = samplers[sampler as usize];
        let interpolation = match sampler.text("interpolation")? {
            None | Some("LINEAR") => Interpolation::Linear,
            Some("STEP") => Interpolation::Step,
            Some("CUBICSPLINE") => Interpolation::CubicSpline,
            Some(_) => {
                return Err(sampler.need("interpolation", "")?.wrong("LINEAR, STEP or CUBICSPLINE").into());
            }
        };
        let input = sampler.need("input", "an accessor")?.as_index(accessors.len())?;
        let output = sampler.need("output", "an accessor")?.as_index(accessors.len())?;
        let times_s: Vec<f32> = accessors.get(input)?.floats::<1>("key times")?.into_iter().flatten().collect();
        let output = accessors.get(output)?;
        let track = match path {
            "translation" => Track::Translation(output.floats("translations")?.into_iter().map(Vec3::from).collect()),
            "scale" => Track::Scale(output.floats("scales")?.into_iter().map(Vec3::from).collect()),
            "rotation" => Track::Rotation(output.floats("rotations")?.into_iter().map(Quat::from_array).collect()),
            "weights" => {
                let weights: Vec<f32> = output.floats::<1>("morph weights")?.into_iter().flatten().collect();
                let per_value = if interpolation == Interpolation::CubicSpline { 3 } else { 1 };
                let n_targets = weights.len() / (times_s.len() * per_value).max(1);
                Track::MorphWeights { n_targets, weights }
            }
            _ => return Err(target.need("path", "a path")?.wrong("translation, rotation, scale or weights").into()),
        };
        Ok(Some(check(Channel { node: NodeIndex(node), times_s, interpolation, track })))
    };
    read().map_err(|error| error.to_string())?.transpose()
}

/// Checks that keys rise and that there is a value for each.
fn check(channel: Channel) -> Result<Channel, String> {
    let times = &channel.times_s;
    if times.is_empty() {
        return Err("it has no keys".to_owned());
    }
    if !times.iter().all(|time| time.is_finite()) || !times.is_sorted() {
        return Err("its key times do not rise".to_owned());
    }
    let (n_values, finite, per_key) = match &channel.track {
        Track::Translation(values) | Track::Scale(values) => (values.len(), values.iter().all(|v| v.is_finite()), 1),
        Track::Rotation(values) => (values.len(), values.iter().all(|v| v.is_finite()), 1),
        Track::MorphWeights { n_targets, weights } => {
            (weights.len(), weights.iter().all(|weight| weight.is_finite()), *n_targets)
        }
    };
    let spline = if channel.interpolation == Interpolation::CubicSpline { 3 } else { 1 };
    let expected = times.len() * spline * per_key;
    if n_values != expected || per_key == 0 {
        return Err(format!("it has {n_values} values; expected {expected} for {} keys", times.len()));
    }
    if !finite {
        return Err("some of its values are NaN or infinite".to_owned());
    }
    Ok(channel)
}
