//! Poses: forward kinematics over the whole node tree and clip sampling.
