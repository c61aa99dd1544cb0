//! `cargo xtask headers`: writes `include/shmem.h` and `include/shmemx.h` from the table of the C API.

use crate::workspace::Workspace;
use anyhow::{Context, Result};
use cushmem_capi_table::{shmem_h, shmemx_h};

/// Writes both.
pub fn headers() -> Result<()> {
    let folder = Workspace::load()?.root.join("include");
    std::fs::create_dir_all(&folder).with_context(|| format!("make {}", folder.display()))?;
    for (name, text) in [("shmem.h", shmem_h()), ("shmemx.h", shmemx_h())] {
        let path = folder.join(name);
        std::fs::write(&path, text).with_context(|| format!("write {}", path.display()))?;
    }
    Ok(())
}
