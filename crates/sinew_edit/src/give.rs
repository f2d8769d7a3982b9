//! Who takes the weight that a painted joint gives up, as a person says it: a rule about joints, not slots.

use sinew_model::{Document, JointSlot, MeshIndex, NodeIndex, joint_named};
use sinew_weights::Give;

use crate::args::{self, ArgError};

/// Who takes what a painted joint gives up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum GiveTo {
    /// The vertex's other joints, in proportion.
    #[default]
    Others,
    /// The joints of the neighbouring vertices, in their proportion.
    Neighbours,
    /// The nearest joint above the painted one that the mesh has.
    Parent,
    /// This joint.
    Joint(NodeIndex),
}

impl GiveTo {
    /// Reads what [`GiveTo::text`] writes: `others`, `neighbours`, `parent` or a joint's name.
    pub fn read(document: &Document, mesh: Option<MeshIndex>, text: &str) -> Result<Self, ArgError> {
        match text {
            "others" => Ok(Self::Others),
            "neighbours" => Ok(Self::Neighbours),
            "parent" => Ok(Self::Parent),
            name => Ok(Self::Joint(joint_named(document, mesh, name)?)),
        }
    }

    /// The rule for scripts.
    pub fn text(self, document: &Document, mesh: Option<MeshIndex>) -> String {
        match self {
            Self::Others => "others".to_owned(),
            Self::Neighbours => "neighbours".to_owned(),
            Self::Parent => "parent".to_owned(),
            Self::Joint(joint) => {
                let name = args::joint_name(document, mesh, joint);
                let is_word = ["others", "neighbours", "parent"].contains(&name.as_str());
                if is_word { format!("#{joint}") } else { name }
            }
        }
    }

    /// What the rule means on a mesh while `painted` is painted. A joint that the mesh does not have takes nothing there:
    /// the others do.
    pub fn on(self, document: &Document, mesh: MeshIndex, painted: NodeIndex) -> Give {
        let to = |slot: Option<JointSlot>| slot.map_or(Give::Others, Give::To);
        match self {
            Self::Others => Give::Others,
            Self::Neighbours => Give::Neighbours,
            Self::Parent => {
                let above =
                    std::iter::successors(document.nodes().parent(painted), |&node| document.nodes().parent(node));
                to(above.into_iter().find_map(|node| document.slot_of(mesh, node)))
            }
            Self::Joint(joint) => to(document.slot_of(mesh, joint)),
        }
    }
}
