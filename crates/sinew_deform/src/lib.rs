//! Rest positions, weights and a pose become posed positions.
