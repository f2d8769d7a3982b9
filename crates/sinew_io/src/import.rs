//! From a file to a document.

pub(crate) mod rows;
