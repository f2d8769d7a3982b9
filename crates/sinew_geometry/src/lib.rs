//! Surfaces without joints: welding, adjacency, BVH, normals, geodesic distance.
