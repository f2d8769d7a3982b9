//! Pure functions on weights, one file per verb.
