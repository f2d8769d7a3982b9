//! Opening files: the sample models, and what glTF allows that loaders get wrong.

#[path = "import/models.rs"]
mod models;
