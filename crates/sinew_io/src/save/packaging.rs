//! Where the buffers of the opened file go in the saved one, and which buffer takes our data.

use crate::container::ContainerKind;
use crate::save::skin_file;
use crate::save::users::Users;
use crate::source::{BufferOrigin, GltfSource};

/// Where all buffers go.
#[derive(Clone, Debug)]
pub(super) struct Packaging {
    pub kind: ContainerKind,
    /// For each buffer of the opened file. `[n_buffers]`
    pub buffers: Vec<Moved>,
    pub home: Home,
    /// The BIN chunk of a GLB that becomes a file beside a `.gltf`.
    pub unpacked: Option<usize>,
    /// Whether the list of buffers is written anew, because several became one.
    pub merged: bool,
}

/// Where a buffer of the opened file goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Moved {
    /// Its number in the saved file.
    pub buffer: u32,
    /// Where in that buffer its bytes begin.
    pub base: usize,
    /// Whether we write the bytes, and so may change some.
    pub is_written: bool,
}

/// The buffer that takes new data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Home {
    pub form: HomeForm,
    /// Its number in the saved file.
    pub buffer: u32,
    /// Bytes that it holds already.
    pub len: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum HomeForm {
    /// The BIN chunk.
    Bin,
    /// A data URI in a `.gltf`; the buffer of the opened file, or a new one.
    DataUri(Option<usize>),
    /// `NAME.skin-<hash>.bin`; the buffer of the opened file, or a new one.
    File(Option<usize>),
}

impl Packaging {
    /// Decides for a container.
    pub fn new(source: &GltfSource, users: &Users, kind: ContainerKind) -> Self {
        let bin = source.buffers.iter().position(|buffer| buffer.origin == BufferOrigin::BinChunk);
        match (source.kind(), kind, bin) {
            (ContainerKind::Gltf, ContainerKind::Glb, _) => Self::packed(source),
            (ContainerKind::Glb, ContainerKind::Glb, Some(bin)) => {
                let len = source.container.bin().map_or(0, |range| range.len());
                let home = Home { form: HomeForm::Bin, buffer: bin as u32, len };
                Self::with_home(source, kind, home, Some(bin))
            }
            _ => {
                let (form, writes) = text_home(source, users);
                let (buffer, len) = match writes {
                    Some(buffer) => (buffer, source.buffers[buffer].bytes.len()),
                    None => (source.buffers.len(), 0),
                };
                let home = Home { form, buffer: buffer as u32, len };
                let mut packaging = Self::with_home(source, kind, home, writes);
                packaging.unpacked = bin.filter(|_| kind == ContainerKind::Gltf);
                packaging
            }
        }
    }

    fn with_home(source: &GltfSource, kind: ContainerKind, home: Home, writes: Option<usize>) -> Self {
        let stays = |b: usize| Moved { buffer: b as u32, base: 0, is_written: writes == Some(b) };
        let buffers = (0..source.buffers.len()).map(stays).collect();
        Self { kind, buffers, home, unpacked: None, merged: false }
    }

    /// All buffers that have bytes become the BIN chunk, which has to be the first; others follow in their order.
    fn packed(source: &GltfSource) -> Self {
        let has_bytes = |b: usize| source.buffers[b].origin != BufferOrigin::Missing;
        let mut len = 0_usize;
        let mut next = u32::from((0..source.buffers.len()).any(has_bytes));
        let mut buffers = Vec::with_capacity(source.buffers.len());
        for (b, buffer) in source.buffers.iter().enumerate() {
            if has_bytes(b) {
                let base = len.next_multiple_of(4);
                buffers.push(Moved { buffer: 0, base, is_written: true });
                len = base + buffer.bytes.len();
            } else {
                buffers.push(Moved { buffer: next, base: 0, is_written: false });
                next += 1;
            }
        }
        let is_as_it_was = |(b, moved): (usize, &Moved)| moved.buffer as usize == b && moved.base == 0;
        let merged = !buffers.iter().enumerate().all(is_as_it_was);
        let home = Home { form: HomeForm::Bin, buffer: 0, len };
        Self { kind: ContainerKind::Glb, buffers, home, unpacked: None, merged }
    }
}

/// Where our data lives when there is no BIN chunk for it: where an earlier save put it, else in a data URI if all
/// buffers are embedded, else in a file.
fn text_home(source: &GltfSource, users: &Users) -> (HomeForm, Option<usize>) {
    let buffers = || source.buffers.iter().enumerate().rev();
    let file = buffers().find(|(_, buffer)| match &buffer.origin {
        BufferOrigin::External { name, .. } => skin_file::is_ours(name, &buffer.bytes),
        _ => false,
    });
    if let Some((b, _)) = file {
        return (HomeForm::File(Some(b)), Some(b));
    }
    let is_embedded = |origin: &BufferOrigin| matches!(origin, BufferOrigin::DataUri);
    let embedded = buffers().find(|(b, buffer)| is_embedded(&buffer.origin) && users.is_only_skin_data(*b as u32));
    if let Some((b, _)) = embedded {
        return (HomeForm::DataUri(Some(b)), Some(b));
    }
    let has_bytes = |origin: &BufferOrigin| *origin != BufferOrigin::Missing;
    let all_embedded = buffers().filter(|(_, b)| has_bytes(&b.origin)).all(|(_, b)| is_embedded(&b.origin));
    (
        if all_embedded && source.buffers.iter().any(|b| has_bytes(&b.origin)) {
            HomeForm::DataUri(None)
        } else {
            HomeForm::File(None)
        },
        None,
    )
}
