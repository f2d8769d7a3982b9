//! From a joint to its parent, children and siblings, past nodes that are no joints.

use std::collections::VecDeque;

use sinew_model::{Document, NodeIndex};

/// Where to go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// To the parent.
    Parent,
    /// To a child.
    Child,
    /// To the joint after it under the same parent.
    Next,
    /// To the joint before it.
    Previous,
}

impl Way {
    /// What to say where there is no such joint.
    pub const fn nothing_there(self) -> &'static str {
        match self {
            Self::Parent => "this joint has no parent",
            Self::Child => "this joint has no child",
            Self::Next | Self::Previous => "this joint has no sibling",
        }
    }
}

/// The joint there. `came_from` is the child that a way down prefers; siblings go round.
pub fn from(document: &Document, joint: NodeIndex, way: Way, came_from: Option<NodeIndex>) -> Option<NodeIndex> {
    let parent = parent(document, joint);
    match way {
        Way::Parent => parent,
        Way::Child => {
            let children = children(document, Some(joint));
            came_from.filter(|joint| children.contains(joint)).or_else(|| children.first().copied())
        }
        Way::Next | Way::Previous => {
            let siblings = children(document, parent);
            let at = siblings.iter().position(|&sibling| sibling == joint)?;
            let n = siblings.len();
            let to = if way == Way::Next { (at + 1) % n } else { (at + n - 1) % n };
            (to != at).then(|| siblings[to])
        }
    }
}

fn is_joint(document: &Document, node: NodeIndex) -> bool {
    document.joints().contains(&node)
}

fn parent(document: &Document, joint: NodeIndex) -> Option<NodeIndex> {
    let nodes = document.nodes();
    std::iter::successors(nodes.parent(joint), |&node| nodes.parent(node)).find(|&node| is_joint(document, node))
}

/// The joints right under a joint, in the file's order; those under none without one.
fn children(document: &Document, joint: Option<NodeIndex>) -> Vec<NodeIndex> {
    let nodes = document.nodes();
    let Some(joint) = joint else {
        let all = nodes.order().iter().copied();
        return all.filter(|&node| is_joint(document, node) && parent(document, node).is_none()).collect();
    };
    let mut found = Vec::new();
    let mut to_see: VecDeque<NodeIndex> = nodes.node(joint).children.iter().copied().collect();
    while let Some(node) = to_see.pop_front() {
        if is_joint(document, node) {
            found.push(node);
        } else {
            for (i, &child) in nodes.node(node).children.iter().enumerate() {
                to_see.insert(i, child);
            }
        }
    }
    found
}
