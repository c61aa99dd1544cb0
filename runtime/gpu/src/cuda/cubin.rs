//! Cubins: kernels that NVIDIA's assembler compiled ahead of time. Anybody can compute the names of their files, so
//! they are loaded only from folders where nobody else could have put them.

use nix::fcntl::{OFlag, openat};
use nix::sys::stat::Mode;
use std::fs::{File, Metadata};
use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// A cubin file that exists.
pub(super) struct Cubin {
    folder: PathBuf,
    path: PathBuf,
}

impl Cubin {
    /// Returns all cubins for a module with this PTX on a GPU of this capability. They are files named
    /// `<module>-<hash of its PTX>.sm_<capability>.cubin` in `CUSHMEM_CUBIN_DIR`, in the program's folder and in its
    /// parent folder. Because of the hash, a cubin of another PTX is never used.
    pub(super) fn all(module: &str, ptx: &str, (major, minor): (u32, u32)) -> Vec<Self> {
        let file = format!("{module}-{:016x}.sm_{major}{minor}.cubin", fnv1a(ptx.as_bytes()));
        let program = std::env::current_exe().ok();
        let beside = program.as_deref().and_then(Path::parent);
        let folders = [
            std::env::var_os(cushmem_environment::CUBIN_DIR.name).map(PathBuf::from),
            beside.map(PathBuf::from),
            beside.and_then(Path::parent).map(PathBuf::from),
        ];
        let all = folders.into_iter().flatten().map(|folder| Self { path: folder.join(&file), folder });
        all.filter(|cubin| cubin.path.symlink_metadata().is_ok()).collect()
    }

    /// Returns the path of the file.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the bytes of the file. The error says why the file is not trusted or cannot be read.
    pub(super) fn read(&self) -> Result<Vec<u8>, String> {
        // The folder and the file are opened before they are judged, so that what is judged is what is read.
        let text = |error: &dyn std::fmt::Display| format!("cannot be read: {error}");
        let folder = File::open(&self.folder).map_err(|e| text(&e))?;
        trusted("its folder", &folder.metadata().map_err(|e| text(&e))?)?;
        let name = self.path.file_name().unwrap_or_default();
        let flags = OFlag::O_RDONLY | OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK | OFlag::O_CLOEXEC;
        let mut file = File::from(openat(&folder, name, flags, Mode::empty()).map_err(|e| text(&e))?);
        let metadata = file.metadata().map_err(|e| text(&e))?;
        trusted("it", &metadata)?;
        if !metadata.is_file() {
            return Err("it is not a file".into());
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(|e| text(&e))?;
        Ok(bytes)
    }
}

/// Whether only this user and root can have put the file or folder there and written it.
fn trusted(what: &str, metadata: &Metadata) -> Result<(), String> {
    let (user, owner, mode) = (nix::unistd::geteuid().as_raw(), metadata.uid(), metadata.mode() & 0o7777);
    if owner != user && owner != 0 {
        return Err(format!("{what} belongs to user {owner}, neither to this user ({user}) nor to root"));
    }
    if mode & 0o022 != 0 {
        return Err(format!("others can write to {what} (mode {mode:o})"));
    }
    Ok(())
}

/// The 64-bit FNV-1a hash.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;
    use cushmem_scratch::Folder;
    use std::fs::{self, Permissions};
    use std::os::unix::fs::{PermissionsExt, chown, symlink};

    fn cubin(folder: &Folder) -> Cubin {
        let cubin = Cubin { path: folder.join("a.cubin"), folder: folder.to_path_buf() };
        fs::write(&cubin.path, "bytes").expect("room for a file");
        set(&cubin.folder, 0o755);
        set(&cubin.path, 0o644);
        cubin
    }

    fn set(path: &Path, mode: u32) {
        fs::set_permissions(path, Permissions::from_mode(mode)).expect("the file is ours");
    }

    #[test]
    fn only_what_others_cannot_write_is_read() {
        let folder = Folder::new("cubin-modes").expect("room for a folder");
        let cubin = cubin(&folder);
        assert_eq!(cubin.read(), Ok(b"bytes".to_vec()));
        for mode in [0o777, 0o775, 0o1777] {
            set(&cubin.folder, mode);
            assert_eq!(cubin.read(), Err(format!("others can write to its folder (mode {mode:o})")));
        }
        set(&cubin.folder, 0o755);
        for mode in [0o666, 0o664] {
            set(&cubin.path, mode);
            assert_eq!(cubin.read(), Err(format!("others can write to it (mode {mode:o})")));
        }
    }

    #[test]
    fn only_ours_and_roots_are_read() {
        let folder = Folder::new("cubin-owners").expect("room for a folder");
        let cubin = cubin(&folder);
        // Only root can change the owner of a file.
        if chown(&cubin.path, Some(12345), None).is_ok() {
            assert_eq!(cubin.read(), Err("it belongs to user 12345, neither to this user (0) nor to root".into()));
            chown(&cubin.path, Some(0), None).expect("we are root");
            chown(&cubin.folder, Some(12345), None).expect("we are root");
            assert!(cubin.read().is_err_and(|why| why.starts_with("its folder belongs to user 12345,")));
        }
    }

    /// Catches a link that leads out of the folder that was judged.
    #[test]
    fn links_are_not_followed() {
        let folder = Folder::new("cubin-links").expect("room for a folder");
        let cubin = cubin(&folder);
        let other = cubin.folder.join("other");
        fs::rename(&cubin.path, &other).expect("room for a file");
        symlink(&other, &cubin.path).expect("room for a link");
        assert!(cubin.read().is_err_and(|why| why.starts_with("cannot be read: ")));
    }

    /// Catches a wrong constant, with which no cubin beside a program would ever be found.
    #[test]
    fn fnv1a_of_known_strings() {
        assert_eq!(super::fnv1a(b""), 0xcbf29ce484222325);
        assert_eq!(super::fnv1a(b"a"), 0xaf63dc4c8601ec8c);
        assert_eq!(super::fnv1a(b"foobar"), 0x85944171f73967e8);
    }
}
