//! URIs in a file: data URIs, and names of files beside it.

use std::path::{Component, Path, PathBuf};
use std::{fs, io};

use base64::Engine;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use percent_encoding::percent_decode_str;

use crate::bytes::Bytes;

/// Reads files beside the one that is opened.
pub trait Resolver {
    /// The bytes of the file that `name` says: a relative path with `/` between folders.
    fn read(&self, name: &str) -> io::Result<Bytes>;
}

/// Reads from a folder on disk.
#[derive(Clone, Debug)]
pub struct FolderResolver(pub PathBuf);

/// Reads from a list of names and bytes.
#[derive(Clone, Debug, Default)]
pub struct MapResolver(pub Vec<(String, Bytes)>);

/// What a URI says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Uri {
    /// The bytes are in the URI.
    Data {
        /// The media type, empty if there is none.
        media_type: String,
        /// The bytes.
        bytes: Vec<u8>,
    },
    /// The bytes are in a file: the names to try, in this order (percent-decoded, then as written; B14).
    File(Vec<String>),
}

/// Why a URI cannot be followed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum UriError {
    /// A data URI that is not base64.
    #[error("the data URI is not base64: {0}")]
    Base64(String),
    /// Not a relative path.
    #[error("{0:?} is not a path relative to the file")]
    NotRelative(String),
}

/// Files larger than this are not read: lengths in a GLB end at 4 GiB.
const MAX_FILE_BYTES: u64 = 1 << 32;

impl Uri {
    /// Reads a URI as it stands in the JSON.
    pub fn parse(text: &str) -> Result<Self, UriError> {
        if let Some(rest) = strip_scheme(text, "data:") {
            return parse_data(rest);
        }
        let mut names = Vec::new();
        if let Ok(decoded) = percent_decode_str(text).decode_utf8() {
            names.push(decoded.into_owned());
        }
        if !names.iter().any(|name| name == text) {
            names.push(text.to_owned());
        }
        names.retain(|name| is_relative(name));
        if names.is_empty() {
            return Err(UriError::NotRelative(text.chars().take(80).collect()));
        }
        Ok(Self::File(names))
    }
}

fn strip_scheme<'a>(text: &'a str, scheme: &str) -> Option<&'a str> {
    let (head, rest) = text.split_at_checked(scheme.len())?;
    head.eq_ignore_ascii_case(scheme).then_some(rest)
}

fn parse_data(rest: &str) -> Result<Uri, UriError> {
    let Some((head, body)) = rest.split_once(',') else {
        return Err(UriError::Base64("there is no comma".to_owned()));
    };
    let media_type = head.split(';').next().unwrap_or_default().to_owned();
    if !head.split(';').skip(1).any(|part| part.eq_ignore_ascii_case("base64")) {
        return Ok(Uri::Data { media_type, bytes: percent_decode_str(body).collect() });
    }
    let config = GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true);
    let engine = GeneralPurpose::new(&base64::alphabet::STANDARD, config);
    let bytes = engine.decode(body).map_err(|error| UriError::Base64(error.to_string()))?;
    Ok(Uri::Data { media_type, bytes })
}

/// Whether a name stays a path from the file's own folder: no drive, root or scheme. `..` is normal (`../textures`).
fn is_relative(name: &str) -> bool {
    let scheme_end = name.find(|c: char| !(c.is_ascii_alphanumeric() || "+-.".contains(c)));
    let has_scheme = scheme_end.is_some_and(|end| end > 1 && name[end..].starts_with(":/"));
    let drive = name.as_bytes().get(1) == Some(&b':') && name.as_bytes()[0].is_ascii_alphabetic();
    let file_scheme = strip_scheme(name, "file:").is_some();
    !(name.is_empty() || name.contains('\0') || name.starts_with(['/', '\\']) || has_scheme || drive || file_scheme)
}

impl Resolver for FolderResolver {
    fn read(&self, name: &str) -> io::Result<Bytes> {
        let relative = Path::new(name);
        if relative.components().any(|part| matches!(part, Component::RootDir | Component::Prefix(_))) {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a relative path"));
        }
        read_file(&self.0.join(relative))
    }
}

impl Resolver for MapResolver {
    fn read(&self, name: &str) -> io::Result<Bytes> {
        let found = self.0.iter().find(|(entry, _)| entry == name);
        found.map(|(_, bytes)| bytes.clone()).ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

/// Reads a whole regular file into one allocation.
pub(crate) fn read_file(path: &Path) -> io::Result<Bytes> {
    use std::io::Read;
    // Pipes and devices would block or never end; they are refused before they are opened.
    let metadata = fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"));
    }
    if metadata.len() > MAX_FILE_BYTES {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, "larger than 4 GiB"));
    }
    let mut owner: std::sync::Arc<[u8]> = std::iter::repeat_n(0, metadata.len() as usize).collect();
    if let Some(bytes) = std::sync::Arc::get_mut(&mut owner) {
        fs::File::open(path)?.read_exact(bytes)?;
    }
    Ok(Bytes::from(owner))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        match Uri::parse(text) {
            Ok(Uri::File(names)) => names,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn file_names_are_tried_percent_decoded_and_then_as_written() {
        // B14
        assert_eq!(names("my%20strip%2010%25.bin"), ["my strip 10%.bin", "my%20strip%2010%25.bin"]);
        assert_eq!(names("my strip 10%.bin"), ["my strip 10%.bin"]);
        assert_eq!(names("%E7%BD%91.bin"), ["网.bin", "%E7%BD%91.bin"]);
        assert_eq!(names("../textures/a.png"), ["../textures/a.png"]);
    }

    #[test]
    fn data_uris_are_decoded_with_and_without_a_media_type() {
        for (text, media_type) in [
            ("data:image/png;base64,AQID", "image/png"),
            ("data:;base64,AQID", ""),
            ("data:x/y;a=b;base64,AQID", "x/y"),
        ] {
            assert_eq!(Uri::parse(text), Ok(Uri::Data { media_type: media_type.to_owned(), bytes: vec![1, 2, 3] }));
        }
        assert!(matches!(Uri::parse("data:;base64,A*"), Err(UriError::Base64(_))));
        assert!(matches!(Uri::parse("data:nothing"), Err(UriError::Base64(_))));
    }

    #[test]
    fn what_is_not_a_relative_path_is_refused() {
        for text in [
            "/etc/passwd",
            "file:///etc/passwd",
            "file:x",
            "http://example.com/a.bin",
            "C:/a.bin",
            "%2Fetc%2Fpasswd%",
            "",
        ] {
            assert!(
                !matches!(Uri::parse(text), Ok(Uri::File(names)) if names.iter().any(|n| n.starts_with('/'))),
                "{text}"
            );
        }
        for text in ["/etc/passwd", "file:///etc/passwd", "http://example.com/a.bin", "C:/a.bin", ""] {
            assert!(matches!(Uri::parse(text), Err(UriError::NotRelative(_))), "{text}");
        }
    }

    #[test]
    fn a_folder_is_not_read_as_a_file() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(FolderResolver(folder.path().to_owned()).read(".").is_err());
    }
}
