//! The node forest: who is whose parent, and each node's rest transform.

use crate::ids::{MeshIndex, NodeIndex, SkinIndex};
use crate::transform::LocalTransform;

/// One node, as the file gives it.
#[derive(Clone, PartialEq, Debug)]
pub struct Node {
    /// Name, if the file gives one.
    pub name: Option<String>,
    /// Children, in the file's order.
    pub children: Vec<NodeIndex>,
    /// Rest transform, to the parent's space.
    pub rest: LocalTransform,
    /// The mesh at this node.
    pub mesh: Option<MeshIndex>,
    /// The skin that deforms the mesh.
    pub skin: Option<SkinIndex>,
    /// Morph weights that the node gives in place of the mesh's own.
    pub morph_weights: Option<Vec<f32>>,
}

/// All nodes. Parents are known and an order exists in which every parent comes before its children.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct NodeTree {
    nodes: Vec<Node>,
    parents: Vec<Option<NodeIndex>>,
    order: Vec<NodeIndex>,
}

/// Why nodes do not form a forest.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NodeTreeError {
    /// A child number is past the end of the node list.
    #[error("nodes/{node}/children names node {child}; the file has {n_nodes} nodes")]
    NoSuchChild {
        /// The parent.
        node: NodeIndex,
        /// The child it names.
        child: NodeIndex,
        /// How many nodes there are.
        n_nodes: usize,
    },
    /// A node is the child of two nodes, or of one node twice.
    #[error("node {child} is a child of both node {first} and node {second}; expected one parent")]
    TwoParents {
        /// The child.
        child: NodeIndex,
        /// The first parent.
        first: NodeIndex,
        /// The second parent.
        second: NodeIndex,
    },
    /// A node is its own ancestor.
    #[error("node {node} is its own ancestor; expected a tree")]
    Cycle {
        /// A node on the cycle.
        node: NodeIndex,
    },
}

impl NodeTree {
    /// Checks that the nodes form a forest.
    pub fn new(nodes: Vec<Node>) -> Result<Self, NodeTreeError> {
        let n_nodes = nodes.len();
        let mut parents: Vec<Option<NodeIndex>> = vec![None; n_nodes];
        for (i, node) in nodes.iter().enumerate() {
            let parent = NodeIndex::from_idx(i);
            for &child in &node.children {
                let entry =
                    parents.get_mut(child.idx()).ok_or(NodeTreeError::NoSuchChild { node: parent, child, n_nodes })?;
                if let Some(first) = *entry {
                    return Err(NodeTreeError::TwoParents { child, first, second: parent });
                }
                *entry = Some(parent);
            }
        }
        // Depth first, without recursion: a chain may be as long as the file.
        let mut order = Vec::with_capacity(n_nodes);
        let roots = (0..n_nodes).rev().filter(|&i| parents[i].is_none());
        let mut stack: Vec<NodeIndex> = roots.map(NodeIndex::from_idx).collect();
        while let Some(node) = stack.pop() {
            order.push(node);
            stack.extend(nodes[node.idx()].children.iter().rev());
        }
        if order.len() < n_nodes {
            let mut seen = vec![false; n_nodes];
            for node in &order {
                seen[node.idx()] = true;
            }
            let node = NodeIndex::from_idx(seen.iter().position(|seen| !seen).unwrap_or(0));
            return Err(NodeTreeError::Cycle { node });
        }
        Ok(Self { nodes, parents, order })
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no node.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// One node.
    pub fn node(&self, node: NodeIndex) -> &Node {
        &self.nodes[node.idx()]
    }

    /// Gives a node another mesh.
    pub(crate) fn set_mesh(&mut self, node: NodeIndex, mesh: MeshIndex) {
        self.nodes[node.idx()].mesh = Some(mesh);
    }

    /// All nodes with their indices, in the file's order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (NodeIndex, &Node)> {
        self.nodes.iter().enumerate().map(|(i, node)| (NodeIndex::from_idx(i), node))
    }

    /// The parent of a node.
    pub fn parent(&self, node: NodeIndex) -> Option<NodeIndex> {
        self.parents[node.idx()]
    }

    /// All nodes, depth first, every parent before its children. `[n_nodes]`
    pub fn order(&self) -> &[NodeIndex] {
        &self.order
    }

    /// A node's name, or `#N` if it has none: what a person sees and a script may say.
    pub fn label(&self, node: NodeIndex) -> String {
        match self.nodes.get(node.idx()).and_then(|n| n.name.as_deref()) {
            Some(name) if !name.is_empty() => name.to_owned(),
            _ => format!("#{node}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nodes(children: &[&[u32]]) -> Vec<Node> {
        children
            .iter()
            .map(|list| Node {
                name: None,
                children: list.iter().map(|&c| NodeIndex(c)).collect(),
                rest: LocalTransform::IDENTITY,
                mesh: None,
                skin: None,
                morph_weights: None,
            })
            .collect()
    }

    #[test]
    fn parents_come_before_children_whatever_the_file_order() {
        let tree = NodeTree::new(nodes(&[&[], &[3, 0], &[], &[2]])).expect("a forest");
        assert_eq!(tree.order(), [NodeIndex(1), NodeIndex(3), NodeIndex(2), NodeIndex(0)]);
        assert_eq!(tree.parent(NodeIndex(2)), Some(NodeIndex(3)));
    }

    #[test]
    fn cycles_shared_children_and_missing_children_are_named() {
        assert!(matches!(NodeTree::new(nodes(&[&[1], &[0]])), Err(NodeTreeError::Cycle { .. })));
        assert!(matches!(NodeTree::new(nodes(&[&[0]])), Err(NodeTreeError::Cycle { .. })));
        assert!(matches!(NodeTree::new(nodes(&[&[2], &[2], &[]])), Err(NodeTreeError::TwoParents { .. })));
        assert!(matches!(NodeTree::new(nodes(&[&[7]])), Err(NodeTreeError::NoSuchChild { .. })));
    }

    #[test]
    fn a_chain_of_a_hundred_thousand_nodes_is_no_problem() {
        let n = 100_000u32;
        let children: Vec<Vec<u32>> = (0..n).map(|i| if i + 1 < n { vec![i + 1] } else { vec![] }).collect();
        let lists: Vec<&[u32]> = children.iter().map(Vec::as_slice).collect();
        assert_eq!(NodeTree::new(nodes(&lists)).expect("a chain").order().len(), n as usize);
    }
}
