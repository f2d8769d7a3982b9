//! A [`Project`] as the members of its file, over what the file held before.

use std::collections::BTreeMap;

use serde_json::{Map, Number, Value};
use sinew_model::{Budget, Document, Pose};

use super::names::{ModelNames, Names};
use super::{PROJECT_VERSION, Project};

type Members = Map<String, Value>;

/// The file's members. `base` is well formed; of it stays what the project does not say.
pub(super) fn root(document: &Document, project: &Project, base: Members) -> Members {
    let names = ModelNames::of(document);
    let mut root = base;
    root.insert("sinew".to_owned(), PROJECT_VERSION.into());
    let locks = project.locks.iter().map(|joint| (joint.0, Members::new())).collect();
    set_list(&mut root, "locks", (&names.joints, "node"), locks);
    set_pairs(&mut root, &names, project);
    set_masks(&mut root, &names, document, project);
    match project.budget {
        None => root.remove("budget"),
        Some(Budget::Unlimited) => root.insert("budget".to_owned(), "unlimited".into()),
        Some(Budget::Influences(n)) => root.insert("budget".to_owned(), n.into()),
    };

    let last = match root.remove("pose") {
        Some(Value::Object(base)) => pose(&names, &project.pose, base),
        _ => pose(&names, &project.pose, Members::new()),
    };
    if !last.is_empty() {
        root.insert("pose".to_owned(), last.into());
    }

    let mut bases = list(root.remove("poses"));
    let mut poses = Vec::with_capacity(project.poses.len());
    for named in &project.poses {
        let has_name = |entry: &Value| entry.get("name").and_then(Value::as_str) == Some(&named.name);
        let base = match bases.iter().position(has_name).map(|i| bases.remove(i)) {
            Some(Value::Object(base)) => base,
            _ => Members::new(),
        };
        let mut entry = pose(&names, &named.pose, base);
        entry.insert("name".to_owned(), named.name.clone().into());
        poses.push(Value::Object(entry));
    }
    if !poses.is_empty() {
        root.insert("poses".to_owned(), poses.into());
    }
    root
}

fn pose(names: &ModelNames<'_>, pose: &Pose, mut base: Members) -> Members {
    let turns = pose.turns().map(|(joint, euler_deg)| {
        let degrees: Vec<Value> = euler_deg.to_array().into_iter().map(number).collect();
        (joint.0, Members::from_iter([("degrees".to_owned(), degrees.into())]))
    });
    set_list(&mut base, "turns", (&names.joints, "node"), turns.collect());

    let old = base.remove("clip").unwrap_or_default();
    let old_is = names.clips.find_entry(&old, "index");
    if let Some(moment) = pose.clip.filter(|moment| names.clips.has(moment.clip.0)) {
        let mut clip = match old {
            Value::Object(old) if old_is == Some(moment.clip.0) => old,
            _ => Members::new(),
        };
        names.clips.name_entry(&mut clip, "index", moment.clip.0);
        clip.insert("time_s".to_owned(), number(moment.time_s));
        base.insert("clip".to_owned(), clip.into());
    } else if old.is_object() && old_is.is_none() {
        base.insert("clip".to_owned(), old);
    }

    let morphs = pose.morph_weights.iter().map(|(node, weights)| {
        let weights: Vec<Value> = weights.iter().copied().map(number).collect();
        (node.0, Members::from_iter([("weights".to_owned(), weights.into())]))
    });
    set_list(&mut base, "morphs", (&names.mesh_nodes, "node"), morphs.collect());
    base
}

/// Pairs stand once, under the joint of the lower number. Entries that name a joint that is not there stay.
fn set_pairs(root: &mut Members, names: &ModelNames<'_>, project: &Project) {
    let is_found = |entry: &Value| {
        let twin = entry.get("twin").and_then(|twin| names.joints.find_entry(twin, "node"));
        names.joints.find_entry(entry, "node").is_some() && twin.is_some()
    };
    let pairs = project.pairs.iter().map(|(joint, twin)| {
        let mut named = Members::new();
        names.joints.name_entry(&mut named, "node", twin.0);
        (joint.0, Members::from_iter([("twin".to_owned(), Value::Object(named))]))
    });
    set_found(root, "pairs", (&names.joints, "node"), pairs.collect(), is_found);
}

/// Entries whose mesh is not there, or has other vertices now, stay.
fn set_masks(root: &mut Members, names: &ModelNames<'_>, document: &Document, project: &Project) {
    let n_vertices = |mesh: u32| document.meshes().get(mesh as usize).map(|mesh| mesh.n_vertices() as u64);
    let is_found = |entry: &Value| {
        let mesh = names.meshes.find_entry(entry, "index");
        mesh.is_some_and(|mesh| n_vertices(mesh) == entry.get("n_vertices").and_then(Value::as_u64))
    };
    let masks = project.masks.iter().filter(|(_, mask)| !mask.is_none()).map(|(mesh, mask)| {
        let n = n_vertices(mesh.0).unwrap_or_default();
        let members = [("n_vertices".to_owned(), n.into()), ("mask".to_owned(), mask.to_string().into())];
        (mesh.0, Members::from_iter(members))
    });
    set_found(root, "masks", (&names.meshes, "index"), masks.collect(), is_found);
}

/// [`set_list`], but an entry that names one of these things and still means nothing here stays, too, unless there is
/// another for the thing.
fn set_found(
    base: &mut Members,
    key: &str,
    (names, index_key): (&Names<'_>, &str),
    ours: BTreeMap<u32, Members>,
    is_found: impl Fn(&Value) -> bool,
) {
    let (found, mut left): (Vec<Value>, Vec<Value>) = list(base.remove(key)).into_iter().partition(is_found);
    left.retain(|entry| names.find_entry(entry, index_key).is_none_or(|index| !ours.contains_key(&index)));
    base.insert(key.to_owned(), found.into());
    set_list(base, key, (names, index_key), ours);
    let mut entries = list(base.remove(key));
    entries.append(&mut left);
    if !entries.is_empty() {
        base.insert(key.to_owned(), entries.into());
    }
}

/// Puts `ours` (members by index, rising) in place of a list of named entries. An entry that meant the same thing keeps
/// its other members; entries that mean nothing in this model stay as they were, behind ours. An empty list is left out.
fn set_list(base: &mut Members, key: &str, (names, index_key): (&Names<'_>, &str), ours: BTreeMap<u32, Members>) {
    let (mut known, mut unknown) = (BTreeMap::new(), Vec::new());
    for entry in list(base.remove(key)) {
        match (names.find_entry(&entry, index_key), entry) {
            (Some(index), Value::Object(entry)) => {
                known.entry(index).or_insert(entry);
            }
            (_, entry) => unknown.push(entry),
        }
    }
    let ours = ours.into_iter().filter(|(index, _)| names.has(*index)).map(|(index, members)| {
        let mut entry = known.remove(&index).unwrap_or_default();
        names.name_entry(&mut entry, index_key, index);
        entry.extend(members);
        Value::Object(entry)
    });
    let entries: Vec<Value> = ours.chain(unknown).collect();
    if !entries.is_empty() {
        base.insert(key.to_owned(), entries.into());
    }
}

fn list(value: Option<Value>) -> Vec<Value> {
    match value {
        Some(Value::Array(entries)) => entries,
        _ => Vec::new(),
    }
}

/// The shortest number that reads back to the same bits; whole ones without a fraction. What is not finite is 0.
fn number(number: f32) -> Value {
    if number.fract() == 0.0 && number.abs() < 1e9 && !(number == 0.0 && number.is_sign_negative()) {
        return (number as i64).into();
    }
    let shortest = number.to_string().parse::<f64>().ok().filter(|&short| short as f32 == number);
    Number::from_f64(shortest.unwrap_or(f64::from(number))).map_or_else(|| 0.into(), Value::Number)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_written_number_reads_back_to_the_same_bits(bits in any::<u32>()) {
            let expected = f32::from_bits(bits);
            prop_assume!(expected.is_finite());
            let text = number(expected).to_string();
            let found = serde_json::from_str::<f64>(&text).expect("a number") as f32;
            prop_assert_eq!(found.to_bits(), bits, "{}", text);
        }
    }
}
