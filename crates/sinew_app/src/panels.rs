//! The panels around the view. A panel reads the editor and gives back what is to be done.

pub mod brush_bar;
pub mod brush_card;
pub mod controls;
pub mod curve_editor;
pub mod file_report;
pub mod hand_bars;
pub mod history;
pub mod joint_tree;
pub mod joints;
pub mod keys_page;
pub mod menus;
pub mod meshes;
pub mod palette;
pub mod pose;
pub mod save_report;
pub mod sections;
pub mod settings;
pub mod side;
mod sight;
pub mod status;
pub mod symmetry_card;
pub mod timeline;
pub mod tool_strip;
pub mod top_bar;
pub mod welcome;

/// `1 vertex`, `12 vertices`, with thousands set apart.
pub fn n_vertices(n: usize) -> String {
    if n == 1 { "1 vertex".to_owned() } else { format!("{} vertices", grouped(n)) }
}

/// A number with commas between thousands.
pub fn grouped(n: usize) -> String {
    let digits = n.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!(n_vertices(1), "1 vertex");
        assert_eq!(n_vertices(999), "999 vertices");
        assert_eq!(n_vertices(1_234_567), "1,234,567 vertices");
    }
}
