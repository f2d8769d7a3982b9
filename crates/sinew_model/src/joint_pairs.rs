//! Which joints are each other's mirror image because a person said so. What is not said here is found by name and place.

use std::collections::BTreeMap;

use crate::ids::NodeIndex;

/// Pairs of joints made by hand. A joint paired with itself lies on the plane of symmetry, or is to be left out.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct JointPairs {
    /// Both ways.
    twins: BTreeMap<NodeIndex, NodeIndex>,
}

impl JointPairs {
    /// Nothing is said.
    pub const NONE: Self = Self { twins: BTreeMap::new() };

    /// Whether nothing is said.
    pub fn is_empty(&self) -> bool {
        self.twins.is_empty()
    }

    /// The joint's mirror image, if a person said which.
    pub fn twin(&self, joint: NodeIndex) -> Option<NodeIndex> {
        self.twins.get(&joint).copied()
    }

    /// Makes two joints each other's mirror image; whoever was paired with one of them before is free again.
    pub fn pair(&mut self, a: NodeIndex, b: NodeIndex) {
        self.unpair(a);
        self.unpair(b);
        self.twins.insert(a, b);
        self.twins.insert(b, a);
    }

    /// Forgets what was said about a joint; returns whether anything was.
    pub fn unpair(&mut self, joint: NodeIndex) -> bool {
        let twin = self.twins.remove(&joint);
        if let Some(twin) = twin {
            self.twins.remove(&twin);
        }
        twin.is_some()
    }

    /// The pairs, each once, the joint of the lower number first.
    pub fn iter(&self) -> impl Iterator<Item = (NodeIndex, NodeIndex)> + '_ {
        self.twins.iter().map(|(&a, &b)| (a, b)).filter(|(a, b)| a <= b)
    }
}

impl FromIterator<(NodeIndex, NodeIndex)> for JointPairs {
    fn from_iter<I: IntoIterator<Item = (NodeIndex, NodeIndex)>>(pairs: I) -> Self {
        let mut all = Self::NONE;
        for (a, b) in pairs {
            all.pair(a, b);
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const N: fn(u32) -> NodeIndex = NodeIndex;

    #[test]
    fn a_new_pair_frees_the_old_partners() {
        let mut pairs: JointPairs = [(N(1), N(2)), (N(3), N(4))].into_iter().collect();
        pairs.pair(N(2), N(3));
        assert_eq!(pairs.iter().collect::<Vec<_>>(), [(N(2), N(3))]);
        assert_eq!((pairs.twin(N(1)), pairs.twin(N(3)), pairs.twin(N(4))), (None, Some(N(2)), None));
        pairs.pair(N(3), N(3));
        assert_eq!((pairs.twin(N(2)), pairs.twin(N(3))), (None, Some(N(3))));
        assert!(pairs.unpair(N(3)) && !pairs.unpair(N(3)));
        assert!(pairs.is_empty());
    }
}
