//! The whole program without a window and without the command line: fixtures and sample models are opened, bent,
//! painted, undone, saved and opened again, and nothing but the edited weights may differ.
//!
//! [`job`] drives the editor over one file, [`compare`] is the strict judge of what was saved; the other modules are
//! tests by subject, those of reported faults with the fault's number.

mod bind_cases;
mod brush_cases;
mod compare;
mod copies;
mod dqs_cases;
mod exported;
mod file_cases;
mod job;
mod large_cases;
mod models;
mod normalise_cases;
mod pose_cases;
mod properties;
mod robustness_cases;
mod sharing_cases;
mod stored;
mod unassigned_cases;
mod whole_job;
