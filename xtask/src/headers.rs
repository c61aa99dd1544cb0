//! `cargo xtask headers`: writes the headers of the C API into `include`, and its signatures for Python into `python`,
//! from the table of the API.

use crate::workspace::Workspace;
use anyhow::{Context, Result};

/// Writes all headers and signatures.
pub fn headers() -> Result<()> {
    let root = Workspace::load()?.root;
    let nvshmem =
        cushmem_capi_table::nvshmem_headers().into_iter().map(|(name, text)| (format!("nvshmem/{name}"), text));
    let own = cushmem_capi_table::headers().into_iter().map(|(name, text)| (name.to_owned(), text));
    let in_c = own.chain(nvshmem).map(|(name, text)| (root.join("include").join(name), text));
    let python = cushmem_capi_table::python().into_iter().map(|(name, text)| (root.join("python").join(name), text));
    for (path, text) in in_c.chain(python) {
        let parent = path.parent().unwrap_or(&root);
        std::fs::create_dir_all(parent).with_context(|| format!("make {}", parent.display()))?;
        std::fs::write(&path, text).with_context(|| format!("write {}", path.display()))?;
    }
    Ok(())
}
