//! Saving: only the edited weights change, in the file and on the disk.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails there, helpers included")]

#[path = "save/cases.rs"]
mod cases;
#[path = "save/containers.rs"]
mod containers;
#[path = "save/copies.rs"]
mod copies;
#[path = "save/disk.rs"]
mod disk;
#[path = "save/gaps.rs"]
mod gaps;
#[path = "save/harness.rs"]
mod harness;
#[path = "save/models.rs"]
mod models;
#[path = "save/properties.rs"]
mod properties;
