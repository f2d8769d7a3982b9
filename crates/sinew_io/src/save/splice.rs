//! The JSON of the saved file: the opened text with the members that the plan changes spliced in.
//!
//! Boundary: text. Every member that is touched is named in [`Spliced::touched`], which is what verification allows to
//! differ.

use std::collections::BTreeSet;

use crate::json::Json;
use crate::json_text::{JsonText, JsonTextError, Step, at, pointer};
use crate::meshopt;
use crate::save::error::SaveError;
use crate::save::packaging::HomeForm;
use crate::save::plan::{Change, Place, Plan};
use crate::source::{BufferOrigin, GltfSource};

/// Target of buffer views with vertex attributes (glTF 2.0 §5.11.5).
const ARRAY_BUFFER: u32 = 34962;

/// URIs that the saved file needs.
#[derive(Clone, Debug, Default)]
pub(super) struct Uris {
    /// Of the home buffer, if that is a file or a data URI and its content is not the opened one.
    pub home: Option<String>,
    /// Of the file that a BIN chunk becomes.
    pub unpacked: Option<String>,
    /// Of files that are brought along under another name: buffer and URI.
    pub renamed: Vec<(usize, String)>,
}

/// The new text.
pub(super) struct Spliced {
    pub text: String,
    /// JSON pointers of what may differ from the opened file, each with all below it.
    pub touched: BTreeSet<String>,
}

/// Splices everything in.
pub(super) fn splice(source: &GltfSource, plan: &Plan, uris: &Uris) -> Result<Spliced, SaveError> {
    let mut splicer =
        Splicer { text: JsonText::new(source.json_text()), source, plan, touched: BTreeSet::new(), views: Vec::new() };
    let mut accessors = Vec::new();
    for change in &plan.changes {
        match change.place {
            Place::InPlace { .. } => {}
            Place::Appended { offset, is_new: false, .. } => {
                splicer.add_view(change, offset);
                splicer.repoint(change)?;
            }
            Place::Appended { offset, view, is_new: true } => {
                splicer.add_view(change, offset);
                let accessor = splicer.new_accessor(change, view);
                accessors.push(accessor);
                splicer.name_in_primitives(change)?;
            }
        }
        if !matches!(change.place, Place::Appended { is_new: true, .. }) {
            splicer.refresh_bounds(change)?;
        }
    }
    let views = std::mem::take(&mut splicer.views);
    splicer.append("bufferViews", views)?;
    splicer.append("accessors", accessors)?;
    splicer.add_meshes()?;
    splicer.move_views()?;
    splicer.buffers(uris)?;
    Ok(Spliced { text: splicer.text.finish()?, touched: splicer.touched })
}

struct Splicer<'a> {
    text: JsonText<'a>,
    source: &'a GltfSource,
    plan: &'a Plan,
    touched: BTreeSet<String>,
    views: Vec<String>,
}

impl Splicer<'_> {
    fn set(&mut self, object: &[Step<'_>], key: &str, value: String) -> Result<(), JsonTextError> {
        self.touch(object, key);
        self.text.set_member(object, key, value)
    }

    fn remove(&mut self, object: &[Step<'_>], key: &str) -> Result<(), JsonTextError> {
        self.touch(object, key);
        self.text.remove_member(object, key)
    }

    fn touch(&mut self, object: &[Step<'_>], key: &str) {
        self.touched.insert(pointer(&[object, &[Step::Key(key)]].concat()));
    }

    /// Appends elements to a list of the root, which is made if it is not there.
    fn append(&mut self, key: &str, elements: Vec<String>) -> Result<(), JsonTextError> {
        if elements.is_empty() {
            return Ok(());
        }
        let path = at![key];
        if self.text.find(path).is_none() {
            return self.set(&[], key, format!("[{}]", elements.join(",")));
        }
        let n = self.source.json.get(key).and_then(serde_json::Value::as_array).map_or(0, Vec::len);
        for (i, element) in elements.into_iter().enumerate() {
            self.touched.insert(pointer(at![key, n + i]));
            self.text.append(path, element)?;
        }
        Ok(())
    }

    fn add_view(&mut self, change: &Change, offset: usize) {
        let attribute = &change.attribute;
        let members = [
            ("buffer", self.plan.packaging.home.buffer.to_string()),
            ("byteOffset", offset.to_string()),
            ("byteLength", (attribute.values.len() * attribute.element_size()).to_string()),
            ("target", ARRAY_BUFFER.to_string()),
        ];
        let view = self.text.object_like_last_of(at!["bufferViews"], &members);
        self.views.push(view);
    }

    /// Lets an accessor keep its number and read from its new view.
    fn repoint(&mut self, change: &Change) -> Result<(), JsonTextError> {
        let Place::Appended { view, .. } = change.place else { return Ok(()) };
        let accessor = at!["accessors", change.accessor as usize];
        self.set(accessor, "bufferView", view.to_string())?;
        self.remove(accessor, "byteOffset")?;
        self.remove(accessor, "sparse")?;
        if change.attribute.retyped {
            self.set(accessor, "componentType", change.attribute.component.code().to_string())?;
            if change.attribute.component == crate::accessor::Component::F32 {
                self.remove(accessor, "normalized")?;
            }
        }
        Ok(())
    }

    fn new_accessor(&mut self, change: &Change, view: u32) -> String {
        let attribute = &change.attribute;
        let mut members = vec![
            ("bufferView", view.to_string()),
            ("componentType", attribute.component.code().to_string()),
            ("count", attribute.values.len().to_string()),
            ("type", "\"VEC4\"".to_owned()),
        ];
        if attribute.is_normalized() {
            members.insert(2, ("normalized", "true".to_owned()));
        }
        self.text.object_like_last_of(at!["accessors"], &members)
    }

    /// Appends the meshes that edits added and lets their nodes show them.
    fn add_meshes(&mut self) -> Result<(), SaveError> {
        let plan = self.plan;
        let mut meshes = Vec::new();
        for added in &plan.added {
            let original = self.text.value(at!["meshes", added.copy.original.idx()]).unwrap_or_default();
            meshes.push(added.text(original, &plan.changes)?);
            self.set(at!["nodes", added.copy.node.idx()], "mesh", added.copy.mesh.to_string())?;
        }
        Ok(self.append("meshes", meshes)?)
    }

    fn name_in_primitives(&mut self, change: &Change) -> Result<(), JsonTextError> {
        // A mesh that is added says it in its own text.
        if self.plan.added.iter().any(|added| added.copy.mesh == change.mesh) {
            return Ok(());
        }
        for &primitive in &change.primitives {
            let attributes = at!["meshes", change.mesh.idx(), "primitives", primitive, "attributes"];
            self.set(attributes, &change.attribute.name(), change.accessor.to_string())?;
        }
        Ok(())
    }

    /// Brings `min` and `max` up to date where the accessor has them. Numbers that are still right keep their spelling.
    fn refresh_bounds(&mut self, change: &Change) -> Result<(), JsonTextError> {
        let accessor = at!["accessors", change.accessor as usize];
        let json = &self.source.json["accessors"][change.accessor as usize];
        let bounds = change.bounds();
        for (key, mut bounds) in ["min", "max"].into_iter().zip(bounds) {
            let Some(old) = json.get(key).and_then(serde_json::Value::as_array) else { continue };
            for (c, (number, old)) in bounds.iter_mut().zip(old).enumerate() {
                let is_same = old.as_f64().map(|old| old as f32) == number.parse().ok();
                if let Some(text) =
                    self.text.value(at!["accessors", change.accessor as usize, key, c]).filter(|_| is_same)
                {
                    text.clone_into(number);
                }
            }
            self.touch(accessor, key);
            self.text.set_numbers(accessor, key, &bounds)?;
        }
        Ok(())
    }

    /// Points buffer views to where their buffers have gone.
    fn move_views(&mut self) -> Result<(), SaveError> {
        let root = Json::root(&self.source.json);
        for (v, view) in root.list("bufferViews").map_err(crate::error::OpenError::from)?.enumerate() {
            self.move_view(at!["bufferViews", v], view)?;
            for name in meshopt::EXTENSIONS {
                if let Some(extension) = view.extension(name) {
                    self.move_view(at!["bufferViews", v, "extensions", name], extension)?;
                }
            }
        }
        Ok(())
    }

    fn move_view(&mut self, path: &[Step<'_>], view: Json<'_>) -> Result<(), JsonTextError> {
        let Ok(Some(buffer)) = view.index("buffer", self.plan.packaging.buffers.len()) else { return Ok(()) };
        let moved = self.plan.packaging.buffers[buffer as usize];
        if moved.buffer != buffer {
            self.set(path, "buffer", moved.buffer.to_string())?;
        }
        if moved.base > 0 {
            let offset = view.whole("byteOffset").ok().flatten().unwrap_or(0);
            self.set(path, "byteOffset", (offset + moved.base as u64).to_string())?;
        }
        Ok(())
    }

    fn buffers(&mut self, uris: &Uris) -> Result<(), JsonTextError> {
        let plan = self.plan;
        let home = plan.packaging.home;
        if plan.packaging.merged {
            let list = self.merged_buffers()?;
            return self.set(&[], "buffers", list);
        }
        if let (HomeForm::DataUri(None) | HomeForm::File(None), Some(uri)) = (home.form, &uris.home) {
            let members = [("byteLength", plan.home_len.to_string()), ("uri", quoted(uri))];
            let buffer = self.text.object_like_last_of(at!["buffers"], &members);
            self.append("buffers", vec![buffer])?;
        } else {
            let buffer = at!["buffers", home.buffer as usize];
            if let Some(uri) = &uris.home {
                self.set(buffer, "uri", quoted(uri))?;
            }
            if plan.appends() {
                self.set(buffer, "byteLength", plan.home_len.to_string())?;
            }
            let was_named =
                self.source.buffers.get(home.buffer as usize).is_some_and(|b| b.origin != BufferOrigin::BinChunk);
            if home.form == HomeForm::Bin && was_named {
                self.remove(buffer, "uri")?;
            }
        }
        if let (Some(bin), Some(uri)) = (plan.packaging.unpacked, &uris.unpacked) {
            self.set(at!["buffers", bin], "uri", quoted(uri))?;
        }
        for (buffer, uri) in &uris.renamed {
            self.set(at!["buffers", *buffer], "uri", quoted(uri))?;
        }
        Ok(())
    }

    /// The list of buffers once all that have bytes are one.
    fn merged_buffers(&mut self) -> Result<String, JsonTextError> {
        let mut list = Vec::new();
        for (b, buffer) in self.source.buffers.iter().enumerate() {
            let Some(text) = self.text.value(at!["buffers", b]) else { continue };
            if buffer.origin == BufferOrigin::Missing {
                list.push(text.to_owned());
            } else if !self.merged_already(b) {
                let mut first = JsonText::new(text);
                first.remove_member(&[], "uri")?;
                first.set_member(&[], "byteLength", self.plan.home_len.to_string())?;
                list.insert(0, first.finish()?);
            }
        }
        Ok(format!("[{}]", list.join(",")))
    }

    /// Whether an earlier buffer has bytes too.
    fn merged_already(&self, buffer: usize) -> bool {
        self.source.buffers[..buffer].iter().any(|earlier| earlier.origin != BufferOrigin::Missing)
    }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
