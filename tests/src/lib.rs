//! Small inputs made in code, for the end-to-end tests.
