//! The document and its invariants: nodes, skins, meshes, weights, poses, clips.
