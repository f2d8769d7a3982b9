//! Bytes to document and back: lossless glTF.
