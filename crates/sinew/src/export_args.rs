//! Profiles on the command line: what an engine gets.

use sinew_app::stored_as::stored_as;
use sinew_edit::{EXPORT_PROFILES, ExportProfile, export_mesh, export_profile_named};
use sinew_io::Imported;
use sinew_model::MeshIndex;

/// A profile by name.
pub fn profile(name: &str) -> Result<&'static ExportProfile, String> {
    let known: Vec<&str> = EXPORT_PROFILES.iter().map(|profile| profile.name).collect();
    export_profile_named(name).ok_or_else(|| format!("expected one of {}", known.join(", ")))
}

/// Puts every row of the document through a profile.
pub fn export(imported: &mut Imported, profile: &ExportProfile) {
    let stored = stored_as(&imported.source);
    for m in 0..imported.document.meshes().len() {
        let mesh = imported.document.mesh(MeshIndex::from_idx(m));
        let types: Vec<_> = stored.get(m).into_iter().flatten().map(|stored| stored.weights).collect();
        let rows = export_mesh(mesh, profile, &types);
        let mut rows: Vec<_> = rows.vertices().map(|v| (v, rows.get(v))).collect();
        imported.document.swap_rows(MeshIndex::from_idx(m), &mut rows);
    }
}
