//! What an import left out, replaced or found odd. None of it keeps a file from opening.

use std::fmt;

/// Something about an opened file that a person should know.
#[derive(Clone, PartialEq, Debug)]
pub enum ImportWarning {
    /// The file requires an extension that is not known; what it describes is kept, but not shown.
    UnknownExtension {
        /// The extension.
        name: String,
    },
    /// An image cannot be shown.
    Image {
        /// The image's place, such as `images/2`.
        path: String,
        /// Why.
        reason: String,
    },
    /// Part of the file was not understood and is not shown; it is kept on save.
    LeftOut {
        /// The part's place, such as `animations/0/channels/3`.
        path: String,
        /// Why.
        reason: String,
    },
    /// Channels that move something else than a node (KHR_animation_pointer) are not played.
    PointerChannels {
        /// The clip's place.
        path: String,
        /// How many.
        n_channels: usize,
    },
    /// Weights that are negative, NaN or infinite count as none.
    BadWeights {
        /// The mesh's name or number.
        mesh: String,
        /// How many vertices have some.
        n_vertices: usize,
    },
    /// Weights for joints past the end of the skin's list count as none.
    JointsPastSkin {
        /// The mesh's name or number.
        mesh: String,
        /// How many vertices have some.
        n_vertices: usize,
        /// How many joints the longest skin of the mesh lists.
        n_slots: usize,
    },
    /// A vertex names a joint twice; the weights were added.
    RepeatedJoints {
        /// The mesh's name or number.
        mesh: String,
        /// How many vertices do so.
        n_vertices: usize,
    },
    /// Vertices have no weight. They are drawn with what the nearest weighted vertex has and saved as they came (B20).
    Unweighted {
        /// The mesh's name or number.
        mesh: String,
        /// How many vertices.
        n_vertices: usize,
    },
    /// Weights sum to something else than 1. They are drawn divided by their sum and saved as they came (B17).
    OffSum {
        /// The mesh's name or number.
        mesh: String,
        /// How many vertices have such a sum.
        n_vertices: usize,
        /// The largest distance of a sum from 1.
        largest_off: f32,
    },
    /// Integer weights are not marked as normalised; they are read as if they were.
    UnmarkedIntegerWeights {
        /// The mesh's name or number.
        mesh: String,
    },
    /// JOINTS_n without WEIGHTS_n, or the other way round; the set is not used.
    SetWithoutPartner {
        /// The attribute's place.
        path: String,
    },
    /// The mesh has weights, but no node shows it under a skin: it cannot be painted.
    WeightsWithoutSkin {
        /// The mesh's name or number.
        mesh: String,
    },
    /// A node gives a skin to a mesh without weights: it is shown unskinned.
    SkinWithoutWeights {
        /// The node's name or number.
        node: String,
    },
    /// No node uses the skin.
    UnusedSkin {
        /// The skin's name or number.
        skin: String,
    },
    /// Positions (or offsets of morph targets) that are NaN or infinite count as 0.
    BadPositions {
        /// The mesh's name or number.
        mesh: String,
        /// How many.
        n_vertices: usize,
    },
    /// Inverse bind matrices that are NaN or infinite count as identities.
    BadMatrices {
        /// The skin's name or number.
        skin: String,
        /// How many.
        n_matrices: usize,
    },
}

/// Sums off by no more than this are what rounding leaves: four bytes rounded each by itself are off by 2/255 at most.
const ROUNDING: f32 = 0.01;

impl ImportWarning {
    /// Whether it is worth a line for whoever looks for it, but not worth calling anybody: sums that rounding left off.
    pub fn is_minor(&self) -> bool {
        matches!(self, Self::OffSum { largest_off, .. } if *largest_off <= ROUNDING)
    }
}

impl fmt::Display for ImportWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownExtension { name } => {
                write!(f, "the file requires the extension {name}, which is not known; it is kept, but not shown")
            }
            Self::Image { path, reason } => write!(f, "{path} cannot be shown: {reason}"),
            Self::LeftOut { path, reason } => write!(f, "{path} is left out of the view: {reason}"),
            Self::PointerChannels { path, n_channels } => {
                write!(f, "{path}: {n_channels} channels move something else than a node and are not played")
            }
            Self::BadWeights { mesh, n_vertices } => {
                write!(
                    f,
                    "mesh {mesh}: {n_vertices} vertices have negative, NaN or infinite weights, which count as none"
                )
            }
            Self::JointsPastSkin { mesh, n_vertices, n_slots } => write!(
                f,
                "mesh {mesh}: {n_vertices} vertices have weights for joints past the {n_slots} of the skin, which count as none"
            ),
            Self::RepeatedJoints { mesh, n_vertices } => {
                write!(f, "mesh {mesh}: {n_vertices} vertices name a joint twice; the weights were added")
            }
            Self::Unweighted { mesh, n_vertices } => {
                let vertices = plural(*n_vertices, "vertex has", "vertices have");
                write!(
                    f,
                    "mesh {mesh}: {n_vertices} {vertices} no weight; drawn as the nearest vertex with weight, saved as they came"
                )
            }
            Self::OffSum { mesh, n_vertices, largest_off } => {
                let vertices = plural(*n_vertices, "vertex has", "vertices have");
                let of_rounding = if self.is_minor() { ", as rounding leaves it" } else { "" };
                write!(
                    f,
                    "mesh {mesh}: {n_vertices} {vertices} weights that do not sum to 1, by up to {largest_off:.6}{of_rounding}; drawn divided by their sum, saved as they came"
                )
            }
            Self::UnmarkedIntegerWeights { mesh } => {
                write!(f, "mesh {mesh}: integer weights are not marked as normalized; read as if they were")
            }
            Self::SetWithoutPartner { path } => write!(f, "{path} has no partner and is not used"),
            Self::WeightsWithoutSkin { mesh } => {
                write!(f, "mesh {mesh} has weights, but no node shows it under a skin: it cannot be painted")
            }
            Self::SkinWithoutWeights { node } => {
                write!(f, "node {node} gives a skin to a mesh without weights: it is shown unskinned")
            }
            Self::UnusedSkin { skin } => write!(f, "skin {skin} is used by no node"),
            Self::BadPositions { mesh, n_vertices } => {
                write!(f, "mesh {mesh}: {n_vertices} positions are NaN or infinite and count as 0")
            }
            Self::BadMatrices { skin, n_matrices } => {
                write!(f, "skin {skin}: {n_matrices} inverse bind matrices are NaN or infinite and count as identities")
            }
        }
    }
}

fn plural<'a>(n: usize, one: &'a str, many: &'a str) -> &'a str {
    if n == 1 { one } else { many }
}
