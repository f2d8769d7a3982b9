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
        // An empty sampler is a few bytes of text.
        let n_bytes = (json.list_len("samplers")? * size_of::<Json<'_>>()) as u64;
        accessors.budget.charge(n_bytes, || json.path.to_string())?;
        let samplers: Vec<Json<'_>> = json.list("samplers")?.collect();
        let mut channels = Vec::new();
        let mut n_pointers = 0;
        let mut left_out = |channel: Json<'_>, reason| {
            warnings.push(ImportWarning::LeftOut { path: channel.path.to_string(), reason });
        };
        for channel in json.list("channels")? {
            match read_channel(channel, &samplers, accessors, n_nodes) {
                Ok(Some(Ok(channel))) => channels.push(channel),
                Ok(None) => n_pointers += 1,
                Ok(Some(Err(reason))) => left_out(channel, reason),
                // Nothing that follows would fit either.
                Err(error @ OpenError::TooLarge { .. }) => return Err(error),
                Err(error) => left_out(channel, error.to_string()),
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

/// A channel, or why it cannot be played; `None` if it moves no node.
fn read_channel(
    channel: Json<'_>,
    samplers: &[Json<'_>],
    accessors: &Accessors<'_>,
    n_nodes: usize,
) -> Result<Option<Result<Channel, String>>, OpenError> {
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::accessor::MemoryBudget;

    #[test]
    fn channels_that_read_the_same_keys_again_and_again_end_at_the_memory_budget() {
        // 50 channels over one accessor of 1000 zeros, which takes no bytes of the file at all.
        let channel = json!({ "sampler": 0, "target": { "node": 0, "path": "translation" } });
        let json = json!({
            "accessors": [
                { "componentType": 5126, "count": 1000, "type": "SCALAR" },
                { "componentType": 5126, "count": 1000, "type": "VEC3" },
            ],
            "animations": [{ "samplers": [{ "input": 0, "output": 1 }], "channels": vec![channel; 50] }],
        });
        let root = Json::root(&json);
        let with_budget = |n_bytes| {
            let mut accessors = Accessors::new(root, &[]).expect("accessors");
            accessors.budget = MemoryBudget::of(n_bytes);
            read(root, &accessors, 1, &mut Vec::new())
        };
        let per_channel = 4 * 1000 + 12 * 1000;
        let clips = with_budget(51 * per_channel).expect("enough");
        assert_eq!(clips[0].channels.len(), 50);
        assert!(matches!(with_budget(10 * per_channel), Err(OpenError::TooLarge { .. })));
    }
}
