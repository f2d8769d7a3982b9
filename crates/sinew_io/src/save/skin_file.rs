//! The file beside a `.gltf` that holds our data: `NAME.skin-<hash>.bin`.
//!
//! The hash is that of the content, so a file once written never changes: the old `.gltf` stays whole until the new one
//! has taken its name, and a name alone says whether a file is ours.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use sha2::{Digest, Sha256};

/// Everything that a URI may not spell as it is (RFC 3986 §2.3).
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

const HASH_DIGITS: usize = 16;

/// The name for this content beside a model called `stem`.
pub(super) fn name(stem: &str, content: &[u8]) -> String {
    format!("{stem}.skin-{}.bin", hash(content))
}

/// The first 16 digits of the content's SHA-256.
pub(super) fn hash(content: &[u8]) -> String {
    use std::fmt::Write;
    let mut digits = String::with_capacity(HASH_DIGITS);
    for byte in Sha256::digest(content).iter().take(HASH_DIGITS / 2) {
        // A string takes everything.
        let _ = write!(digits, "{byte:02x}");
    }
    digits
}

/// Whether a file of this name and content is one that we wrote.
pub(super) fn is_ours(name: &str, content: &[u8]) -> bool {
    parts(name).is_some_and(|(_, digits)| digits == hash(content))
}

/// Whether a file name has the form that we give beside a model called `stem`.
pub(super) fn belongs_to(name: &str, stem: &str) -> bool {
    parts(name).is_some_and(|(found, _)| found == stem)
}

/// The URI of a file beside the model.
pub(super) fn uri(name: &str) -> String {
    utf8_percent_encode(name, RESERVED).to_string()
}

fn parts(name: &str) -> Option<(&str, &str)> {
    let (stem, digits) = name.strip_suffix(".bin")?.rsplit_once(".skin-")?;
    let is_hash =
        digits.len() == HASH_DIGITS && digits.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
    (is_hash && !name.contains(['/', '\\'])).then_some((stem, digits))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_files_are_known_by_name_and_content() {
        let ours = name("my strip 10%", b"weights");
        assert!(is_ours(&ours, b"weights") && belongs_to(&ours, "my strip 10%"));
        assert!(!is_ours(&ours, b"other") && !belongs_to(&ours, "strip"));
        for foreign in ["strip.bin", "a.skin-0123456789abcdeg.bin", "a.skin-01.bin", "x/a.skin-0123456789abcdef.bin"] {
            assert_eq!(parts(foreign), None, "{foreign}");
        }
    }

    #[test]
    fn names_are_percent_encoded_in_uris() {
        // B14
        assert_eq!(uri("my strip 10%.bin"), "my%20strip%2010%25.bin");
        assert_eq!(uri("网.skin-0a.bin"), "%E7%BD%91.skin-0a.bin");
    }
}
