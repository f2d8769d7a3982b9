//! Donors and receivers: how much weight each joint gave and received.

use std::collections::BTreeMap;

use sinew_model::NodeIndex;

/// What a stroke did to one joint, summed over weld groups.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Exchange {
    /// The joint.
    pub joint: NodeIndex,
    /// Weight it lost.
    pub given: f64,
    /// Weight it gained.
    pub received: f64,
}

/// One entry a joint, those that moved most first.
pub(super) fn sorted(parts: impl Iterator<Item = Exchange>) -> Vec<Exchange> {
    let mut by_joint: BTreeMap<NodeIndex, (f64, f64)> = BTreeMap::new();
    for Exchange { joint, given, received } in parts {
        let sums = by_joint.entry(joint).or_default();
        (sums.0, sums.1) = (sums.0 + given, sums.1 + received);
    }
    let mut all: Vec<Exchange> =
        by_joint.into_iter().map(|(joint, (given, received))| Exchange { joint, given, received }).collect();
    all.sort_by(|a, b| (b.given + b.received).total_cmp(&(a.given + a.received)));
    all
}
