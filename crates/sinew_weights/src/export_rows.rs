//! Rows as an engine gets them: after a limit of influences and in the numbers of a file.
//!
//! Boundary: what the rows become, not where they are stored. For rows in order the numbers are those that a save
//! writes and a reader reads back, to the bit.

use rayon::prelude::*;
use sinew_model::{Mesh, Row, UNWEIGHTED_SUM, VertexIndex, WeightTable};

use crate::holds::Holds;
use crate::limit::limit_row;
use crate::quantize::{dequantize_row, quantize_row};
use crate::share::is_usable;
use crate::whole_mesh::RowOutcome;

/// The numbers that a file stores weights in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum WeightType {
    /// Bytes: steps of 1/255.
    U8,
    /// Shorts: steps of 1/65535.
    U16,
    /// Floats, as they are.
    #[default]
    F32,
}

/// What becomes of rows on the way to an engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExportProfile {
    /// What scripts say.
    pub name: &'static str,
    /// What menus say.
    pub label: &'static str,
    /// One line for tooltips.
    pub hint: &'static str,
    /// The most influences a vertex keeps; `None`: as many as it has, for which a save adds sets.
    pub influences: Option<usize>,
    /// The numbers weights become; `None`: those of the file.
    pub weights: Option<WeightType>,
}

/// Every profile, in the order of menus. The first is what a save of the file gives.
pub static EXPORT_PROFILES: [ExportProfile; 5] = [
    ExportProfile {
        name: "file",
        label: "As the file",
        hint: "The rows that a save would write: all influences, in the file's own numbers",
        influences: None,
        weights: None,
    },
    profile("4xu8", "4 × u8", "The 4 largest influences in bytes: what most engines keep", 4, WeightType::U8),
    profile("4xu16", "4 × u16", "The 4 largest influences in shorts", 4, WeightType::U16),
    profile("8xu8", "8 × u8", "The 8 largest influences in bytes", 8, WeightType::U8),
    profile("4xf32", "4 × f32", "The 4 largest influences in floats: shows the limit alone", 4, WeightType::F32),
];

const fn profile(
    name: &'static str,
    label: &'static str,
    hint: &'static str,
    influences: usize,
    weights: WeightType,
) -> ExportProfile {
    ExportProfile { name, label, hint, influences: Some(influences), weights: Some(weights) }
}

/// The profile of that name.
pub fn export_profile_named(name: &str) -> Option<&'static ExportProfile> {
    EXPORT_PROFILES.iter().find(|profile| profile.name == name)
}

impl WeightType {
    /// `u8`, `u16` or `f32`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::U8 => "u8",
            Self::U16 => "u16",
            Self::F32 => "f32",
        }
    }

    /// What weight 1 is in whole units; floats have none.
    pub const fn units(self) -> Option<u32> {
        match self {
            Self::U8 => Some(255),
            Self::U16 => Some(65_535),
            Self::F32 => None,
        }
    }
}

/// A row after a profile, in a file whose weights are `stored`.
///
/// A row with too many influences is limited as [`limit_row`] does it; integers are rounded by largest remainder
/// ([`quantize_row`]). As the file, a row that came broken (off-sum, unweighted, with weights that are none) stays as
/// it came, as a save leaves it. Other profiles round what there is of it: an off-sum row stays off-sum, which is
/// what an engine would get.
pub fn export_row(row: &Row, profile: &ExportProfile, stored: WeightType) -> Row {
    let is_off = row.check().is_err();
    if profile.weights.is_none() && is_off {
        return row.clone();
    }
    let limited = profile.influences.map(|n| limit_row(row, n, Holds::NONE));
    let (row, is_off) = match &limited {
        Some(RowOutcome::Changed(row)) => (row, false),
        _ => (row, is_off),
    };
    match profile.weights.unwrap_or(stored).units() {
        None => row.clone(),
        Some(units) if is_off => rounded_off_sum(row, units),
        Some(units) => dequantize_row(&quantize_row(row, units), units),
    }
}

/// [`export_row`] on all rows. `stored` gives what each pool's weights are in the file; pools past its end have
/// floats. `[n_pools]`
pub fn export_mesh(mesh: &Mesh, profile: &ExportProfile, stored: &[WeightType]) -> WeightTable {
    let weights_of = |pool: usize| profile.weights.unwrap_or(stored.get(pool).copied().unwrap_or_default());
    let is_untouched = profile.influences.is_none_or(|n| mesh.weights.stride() <= n && !mesh.weights.has_long_rows())
        && (0..mesh.pools.len()).all(|pool| weights_of(pool) == WeightType::F32);
    if is_untouched {
        return mesh.weights.clone();
    }
    let longest = mesh.weights.stride().min(profile.influences.unwrap_or(usize::MAX));
    let mut table = WeightTable::new(mesh.n_vertices(), longest);
    for (p, pool) in mesh.pools.iter().enumerate().filter(|(_, pool)| pool.skinned) {
        let stored = stored.get(p).copied().unwrap_or_default();
        let vertices = pool.first..pool.first + pool.count;
        let one = |v| export_row(&mesh.weights.get(VertexIndex(v)), profile, stored);
        let rows: Vec<Row> = vertices.clone().into_par_iter().with_min_len(2048).map(one).collect();
        vertices.zip(&rows).for_each(|(v, row)| table.set(VertexIndex(v), row));
    }
    table
}

/// Rounds a row to units that sum to what its own sum rounds to.
fn rounded_off_sum(row: &Row, units: u32) -> Row {
    /// No file that means anything has a larger sum.
    const MOST: f64 = 64.0;
    let usable: Row = row.influences().iter().filter(|i| is_usable(i.weight)).map(|i| (i.slot, i.weight)).collect();
    let sum = usable.sum_f64();
    if sum < f64::from(UNWEIGHTED_SUM) {
        return Row::new();
    }
    let total = (sum.min(MOST) * f64::from(units)).round() as u32;
    let mut rounded = quantize_row(&usable, total);
    rounded.iter_mut().for_each(|(_, n)| *n = (*n).min(units));
    dequantize_row(&rounded, units)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use sinew_model::JointSlot;

    use super::*;
    use crate::whole_mesh::tests::mesh_of;

    fn row(weights: &[f32]) -> Row {
        weights.iter().enumerate().map(|(slot, &weight)| (JointSlot(slot as u16), weight)).collect()
    }

    fn named(name: &str) -> &'static ExportProfile {
        export_profile_named(name).unwrap()
    }

    fn units(row: &Row) -> Vec<u32> {
        row.influences().iter().map(|i| (i.weight * 255.0).round() as u32).collect()
    }

    #[test]
    fn four_bytes_are_the_four_largest_rescaled_and_rounded_to_255() {
        // B01, B17
        let six = row(&[0.30, 0.25, 0.20, 0.15, 0.06, 0.04]);
        let after = export_row(&six, named("4xu8"), WeightType::F32);
        assert_eq!(units(&after), [85, 71, 57, 42]);
        assert_eq!(after.len(), 4);
        assert_eq!(after.check(), Ok(()));
    }

    #[test]
    fn a_limit_in_floats_leaves_short_rows_to_the_bit_alone() {
        let four = row(&[0.1, 0.2, 0.3, 0.4]);
        assert_eq!(export_row(&four, named("4xf32"), WeightType::U8), four);
        assert_eq!(export_row(&row(&[0.2; 5]), named("4xf32"), WeightType::U8), row(&[0.25; 4]));
    }

    #[test]
    fn as_the_file_keeps_all_influences_and_broken_rows() {
        let eight = row(&[0.125; 8]);
        assert_eq!(export_row(&eight, named("file"), WeightType::F32), eight);
        assert_eq!(export_row(&eight, named("file"), WeightType::U8).len(), 8);
        for broken in [row(&[0.5, 0.25]), row(&[1e-9]), row(&[f32::NAN, 1.0]), row(&[-0.25, 1.25])] {
            assert!(export_row(&broken, named("file"), WeightType::U8).same_influences(&broken));
        }
    }

    #[test]
    fn an_off_sum_row_stays_off_sum_in_bytes() {
        // B17: an engine does not divide.
        let short = row(&[127.0 / 255.0, 127.0 / 255.0]);
        assert_eq!(export_row(&short, named("4xu8"), WeightType::F32), short);
        let double = export_row(&row(&[1.0, 1.0]), named("4xu8"), WeightType::F32);
        assert_eq!(double, row(&[1.0, 1.0]));
        assert!(export_row(&row(&[1e-9]), named("4xu8"), WeightType::F32).is_empty());
        let negative = export_row(&row(&[-0.25, 0.5]), named("4xu16"), WeightType::F32);
        assert_eq!(negative.weight(JointSlot(0)), 0.0);
        assert!(export_row(&row(&[1e30, f32::INFINITY]), named("4xu8"), WeightType::F32).sum() <= 1.0);
    }

    #[test]
    fn each_pool_is_rounded_to_its_own_numbers() {
        let mut mesh = mesh_of(&[row(&[0.3, 0.7]), row(&[0.3, 0.7])]);
        let pool = mesh.pools[0];
        mesh.pools =
            vec![sinew_model::VertexPool { count: 1, ..pool }, sinew_model::VertexPool { first: 1, count: 1, ..pool }];
        let table = export_mesh(&mesh, named("file"), &[WeightType::U8, WeightType::F32]);
        assert_eq!(table.weight(VertexIndex(0), JointSlot(0)), 77.0 / 255.0);
        assert_eq!(table.weight(VertexIndex(1), JointSlot(0)), 0.3);
    }

    proptest! {
        #[test]
        fn a_mesh_is_its_rows_and_exporting_twice_changes_nothing(
            rows in proptest::collection::vec(proptest::collection::vec(0.01f32..1.0, 1..12), 1..8),
            which in 0..EXPORT_PROFILES.len(), short in any::<bool>(),
        ) {
            let rows: Vec<Row> = rows.iter().map(|weights| {
                let sum: f32 = weights.iter().sum();
                row(&weights.iter().map(|weight| weight / sum).collect::<Vec<_>>())
            }).collect();
            let profile = &EXPORT_PROFILES[which];
            let stored = if short { WeightType::U16 } else { WeightType::F32 };
            let table = export_mesh(&mesh_of(&rows), profile, &[stored]);
            for (v, row) in rows.iter().enumerate() {
                let after = export_row(row, profile, stored);
                prop_assert_eq!(&table.get(VertexIndex::from_idx(v)), &after);
                prop_assert_eq!(&export_row(&after, profile, stored), &after);
                prop_assert!(profile.influences.is_none_or(|n| after.len() <= n));
            }
        }
    }
}
