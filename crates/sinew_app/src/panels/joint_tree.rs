//! Which rows the joint list has: the tree depth first, what is folded away, what a search keeps. No drawing.

use std::collections::BTreeSet;

use sinew_model::{Document, NodeIndex};

/// The joints of a document as a tree. Nodes never change while a file is open, so it is made once.
pub struct JointTree {
    entries: Vec<Entry>,
    /// Places in `entries` by node. `[n_nodes]`
    places: Vec<Option<usize>>,
}

struct Entry {
    joint: NodeIndex,
    /// Lower case, for the search.
    name: String,
    /// Place of the nearest joint above.
    parent: Option<usize>,
    depth: usize,
    /// The first place after the joints under this one.
    end: usize,
}

/// One row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Row {
    /// The joint.
    pub joint: NodeIndex,
    /// How many joints are above it.
    pub depth: usize,
    /// Whether it can be folded, and whether it is.
    pub fold: Fold,
    /// Whether it is only there because something under it is.
    pub is_context: bool,
}

/// Whether what is under a row is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fold {
    /// Nothing is under it.
    Leaf,
    /// It is shown.
    Open,
    /// It is folded away.
    Closed,
}

/// What is to be listed.
pub struct Wanted<'a> {
    /// Part of a name; everything if empty.
    pub search: &'a str,
    /// Joints that are left out unless something under them is not.
    pub is_left_out: &'a dyn Fn(NodeIndex) -> bool,
    /// Joints that are folded. A search looks into them.
    pub collapsed: &'a BTreeSet<NodeIndex>,
}

impl JointTree {
    /// The tree of a document's joints. Nodes between joints that are none are left out.
    pub fn of(document: &Document) -> Self {
        let nodes = document.nodes();
        let mut places: Vec<Option<usize>> = vec![None; nodes.len()];
        for (place, joint) in document.joints().iter().enumerate() {
            places[joint.idx()] = Some(place);
        }
        let mut entries: Vec<Entry> = Vec::with_capacity(document.joints().len());
        for &joint in document.joints() {
            let above = std::iter::successors(nodes.parent(joint), |&node| nodes.parent(node));
            let parent = above.into_iter().find_map(|node| places[node.idx()]);
            // Depth first: a parent stands before its children.
            let depth = parent.and_then(|place| entries.get(place)).map_or(0, |entry| entry.depth + 1);
            let (name, end) = (nodes.label(joint).to_lowercase(), entries.len() + 1);
            entries.push(Entry { joint, name, parent, depth, end });
        }
        for place in (0..entries.len()).rev() {
            if let Some(parent) = entries[place].parent {
                entries[parent].end = entries[parent].end.max(entries[place].end);
            }
        }
        Self { entries, places }
    }

    /// The rows, in order.
    pub fn rows(&self, wanted: &Wanted<'_>) -> Vec<Row> {
        let search = wanted.search.trim().to_lowercase();
        let is_wanted =
            |entry: &Entry| (search.is_empty() || entry.name.contains(&search)) && !(wanted.is_left_out)(entry.joint);
        let is_match: Vec<bool> = self.entries.iter().map(is_wanted).collect();
        let mut is_kept = is_match.clone();
        let mut has_more = vec![false; self.entries.len()];
        for place in (0..self.entries.len()).rev() {
            if let (true, Some(parent)) = (is_kept[place], self.entries[place].parent) {
                is_kept[parent] = true;
                has_more[parent] = true;
            }
        }
        let mut rows = Vec::new();
        let mut place = 0;
        while let Some(entry) = self.entries.get(place) {
            let is_closed = search.is_empty() && wanted.collapsed.contains(&entry.joint);
            if is_kept[place] {
                let fold = match (has_more[place], is_closed) {
                    (false, _) => Fold::Leaf,
                    (true, false) => Fold::Open,
                    (true, true) => Fold::Closed,
                };
                rows.push(Row { joint: entry.joint, depth: entry.depth, fold, is_context: !is_match[place] });
            }
            place = if is_closed { entry.end } else { place + 1 };
        }
        rows
    }

    /// The nearest joint above a joint.
    pub fn parent(&self, joint: NodeIndex) -> Option<NodeIndex> {
        let parent = self.entry(joint)?.parent?;
        Some(self.entries[parent].joint)
    }

    /// All joints above a joint, the nearest first.
    pub fn above(&self, joint: NodeIndex) -> impl Iterator<Item = NodeIndex> + '_ {
        std::iter::successors(self.parent(joint), |&joint| self.parent(joint))
    }

    /// A joint and all under it that have joints under them.
    pub fn branches(&self, joint: NodeIndex) -> impl Iterator<Item = NodeIndex> + '_ {
        let range = self.place(joint).map_or(0..0, |place| place..self.entries[place].end);
        range.filter(|&place| self.entries[place].end > place + 1).map(|place| self.entries[place].joint)
    }

    /// All joints that have joints under them.
    pub fn all_branches(&self) -> impl Iterator<Item = NodeIndex> + '_ {
        (0..self.entries.len()).filter(|&i| self.entries[i].end > i + 1).map(|i| self.entries[i].joint)
    }

    /// Whether a joint is the given one or under it.
    pub fn is_under(&self, joint: NodeIndex, top: NodeIndex) -> bool {
        match (self.place(joint), self.place(top)) {
            (Some(place), Some(top)) => (top..self.entries[top].end).contains(&place),
            _ => false,
        }
    }

    fn place(&self, joint: NodeIndex) -> Option<usize> {
        self.places.get(joint.idx()).copied().flatten()
    }

    fn entry(&self, joint: NodeIndex) -> Option<&Entry> {
        self.entries.get(self.place(joint)?)
    }
}

#[cfg(test)]
mod tests {
    use sinew_model::{DocumentParts, LocalTransform, Node, NodeTree, Skin, SkinIndex};

    use super::*;

    const fn idx(i: usize) -> NodeIndex {
        NodeIndex(i as u32)
    }

    /// Hips(0) → Spine(1) → [Arm(2) → Hand(3), Head(5)], where 4 is a plain node between Spine and Head; Tail(6) is apart.
    fn tree() -> JointTree {
        let node = |name: &str, children: &[usize]| Node {
            name: Some(name.to_owned()),
            children: children.iter().map(|&i| idx(i)).collect(),
            rest: LocalTransform::IDENTITY,
            mesh: None,
            skin: None,
            morph_weights: None,
        };
        let nodes = vec![
            node("Hips", &[1]),
            node("Spine", &[2, 4]),
            node("Arm", &[3]),
            node("Hand", &[]),
            node("plain", &[5]),
            node("Head", &[]),
            node("Tail", &[]),
        ];
        let joints = [0, 1, 2, 3, 5, 6].map(idx).to_vec();
        let skin = Skin::new(SkinIndex::from_idx(0), None, joints, None, 7).expect("a skin");
        let nodes = NodeTree::new(nodes).expect("a tree");
        let parts = DocumentParts { nodes, skins: vec![skin], ..DocumentParts::default() };
        JointTree::of(&Document::new(parts).expect("a document"))
    }

    fn listed(search: &str, left_out: &[usize], collapsed: &[usize]) -> Vec<(u32, usize, Fold, bool)> {
        let collapsed: BTreeSet<NodeIndex> = collapsed.iter().map(|&i| idx(i)).collect();
        let is_left_out = |joint: NodeIndex| left_out.contains(&joint.idx());
        let wanted = Wanted { search, is_left_out: &is_left_out, collapsed: &collapsed };
        tree().rows(&wanted).iter().map(|row| (row.joint.0, row.depth, row.fold, row.is_context)).collect()
    }

    #[test]
    fn the_tree_is_listed_depth_first_without_the_nodes_between() {
        let all = listed("", &[], &[]);
        assert_eq!(
            all.iter().map(|row| (row.0, row.1)).collect::<Vec<_>>(),
            [(0, 0), (1, 1), (2, 2), (3, 3), (5, 2), (6, 0)]
        );
        assert_eq!(all[2].2, Fold::Open);
        assert_eq!(all[3].2, Fold::Leaf);
    }

    #[test]
    fn what_is_folded_away_is_not_listed_and_the_rest_is() {
        let folded = listed("", &[], &[1]);
        assert_eq!(folded.iter().map(|row| row.0).collect::<Vec<_>>(), [0, 1, 6]);
        assert_eq!(folded[1].2, Fold::Closed);
    }

    #[test]
    fn a_search_shows_matches_with_what_is_above_them_even_where_it_is_folded() {
        let found = listed("HAND", &[], &[1]);
        assert_eq!(
            found.iter().map(|row| (row.0, row.3)).collect::<Vec<_>>(),
            [(0, true), (1, true), (2, true), (3, false)]
        );
        assert!(listed("nobody", &[], &[]).is_empty());
    }

    #[test]
    fn joints_that_are_left_out_stay_where_something_under_them_is_listed() {
        let used = listed("", &[0, 1, 3, 5, 6], &[]);
        assert_eq!(
            used.iter().map(|row| (row.0, row.2, row.3)).collect::<Vec<_>>(),
            [(0, Fold::Open, true), (1, Fold::Open, true), (2, Fold::Leaf, false)]
        );
    }

    #[test]
    fn families_are_known() {
        let tree = tree();
        assert_eq!(tree.above(idx(5)).collect::<Vec<_>>(), [idx(1), idx(0)]);
        assert_eq!(tree.branches(idx(1)).collect::<Vec<_>>(), [idx(1), idx(2)]);
        assert_eq!(tree.all_branches().collect::<Vec<_>>(), [idx(0), idx(1), idx(2)]);
        assert!(tree.is_under(idx(3), idx(1)) && !tree.is_under(idx(6), idx(1)) && !tree.is_under(idx(4), idx(1)));
    }
}
