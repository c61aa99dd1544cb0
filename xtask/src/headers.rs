//! `cargo xtask headers`: writes the headers of the C API into `include`, from the table of the API.

use crate::workspace::Workspace;
use anyhow::{Context, Result};

/// Writes all headers.
pub fn headers() -> Result<()> {
    let folder = Workspace::load()?.root.join("include");
    let nvshmem =
        cushmem_capi_table::nvshmem_headers().into_iter().map(|(name, text)| (format!("nvshmem/{name}"), text));
    let own = cushmem_capi_table::headers().into_iter().map(|(name, text)| (name.to_owned(), text));
    for (name, text) in own.chain(nvshmem) {
        let path = folder.join(&name);
        let parent = path.parent().unwrap_or(&folder);
        std::fs::create_dir_all(parent).with_context(|| format!("make {}", parent.display()))?;
        std::fs::write(&path, text).with_context(|| format!("write {}", path.display()))?;
    }
    Ok(())
}
