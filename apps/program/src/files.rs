//! Files that a program writes.

use anyhow::{Context, Result, ensure};
use nix::errno::Errno;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::unistd::{AccessFlags, access};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::os::unix::fs::{FileTypeExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long a file waits for another job that writes it.
const WAIT_LIMIT: Duration = Duration::from_secs(60);

/// A file that is written under another name, `FILE.part`, and renamed when it is on the disk. A reader always finds a
/// complete file, the old one or the new one. An unfinished file is removed; if its job was killed, the next job that
/// writes the same file reuses it. A device or FIFO is written in place.
#[derive(Debug)]
pub struct NewFile {
    path: PathBuf,
    /// Its name until it is complete; `None` if it is written in place.
    part: Option<PathBuf>,
    file: File,
}

impl NewFile {
    /// Creates a file, with the permissions of the one that it replaces. Waits while another job writes the same one,
    /// up to [`WAIT_LIMIT`]. Fails if the old file may not be written.
    pub fn create(path: &Path) -> io::Result<Self> {
        if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
            let file = if is_fifo(path) { open_fifo(path) } else { OpenOptions::new().write(true).open(path) };
            return Ok(Self { path: path.into(), part: None, file: file? });
        }
        // The target of a link, also if it does not exist yet.
        let target = || Some(path.parent()?.join(fs::read_link(path).ok()?));
        let path = fs::canonicalize(path).ok().or_else(target).unwrap_or_else(|| path.into());
        let old = match OpenOptions::new().append(true).open(&path) {
            Ok(old) => Some(old.metadata()?.permissions()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        let mut part = path.clone().into_os_string();
        part.push(".part");
        let part = PathBuf::from(part);
        let deadline = Instant::now() + WAIT_LIMIT;
        loop {
            // A link that somebody left there would lead to another file, which would be lost, and a FIFO would wait.
            let no_link = (OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK).bits();
            let file = OpenOptions::new().write(true).create(true).truncate(false).custom_flags(no_link).open(&part);
            let is = |what: &str| io::Error::other(format!("{} is {what}", part.display()));
            let file = file.map_err(|error| match error.raw_os_error().map(Errno::from_raw) {
                Some(Errno::ELOOP) => is("a link"),
                Some(Errno::EISDIR | Errno::ENXIO) => is("not a regular file"),
                _ => error,
            })?;
            if !file.metadata()?.is_file() {
                return Err(is("not a regular file"));
            }
            let is_locked = lock(&file, deadline);
            // The previous owner of the lock has renamed or removed its file.
            let is_still_there =
                fs::metadata(&part).is_ok_and(|there| file.metadata().is_ok_and(|own| same(&there, &own)));
            if is_locked && is_still_there {
                file.set_len(0)?;
                if let Some(permissions) = old {
                    file.set_permissions(permissions)?;
                }
                return Ok(Self { path, part: Some(part), file });
            }
            if Instant::now() >= deadline {
                let why = format!("another job has been writing it for {} s", WAIT_LIMIT.as_secs());
                return Err(io::Error::new(io::ErrorKind::TimedOut, why));
            }
        }
    }

    /// The file to write to.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Gives the file its name.
    pub fn finish(mut self) -> io::Result<()> {
        let Some(part) = &self.part else { return Ok(()) };
        self.file.sync_all()?;
        fs::rename(part, &self.path)?;
        self.part = None;
        // The new name is on the disk once its folder is. Not every file system can sync one, and the file is complete.
        let folder = self.path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
        Ok(())
    }
}

/// Opens a FIFO once somebody reads it. To open it in the usual way would wait without a limit. It is opened only once,
/// because a reader would take the end of a test for the end of the file.
fn open_fifo(path: &Path) -> io::Result<File> {
    let deadline = Instant::now() + WAIT_LIMIT;
    loop {
        match OpenOptions::new().write(true).custom_flags(OFlag::O_NONBLOCK.bits()).open(path) {
            Ok(file) => {
                fcntl(&file, FcntlArg::F_SETFL(OFlag::empty()))?;
                return Ok(file);
            }
            Err(error) if error.raw_os_error() != Some(Errno::ENXIO as i32) => return Err(error),
            Err(_) if Instant::now() >= deadline => {
                let why = format!("nobody has been reading it for {} s", WAIT_LIMIT.as_secs());
                return Err(io::Error::new(io::ErrorKind::TimedOut, why));
            }
            Err(_) => std::thread::sleep(Duration::from_millis(10)),
        }
    }
}

fn is_fifo(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|there| there.file_type().is_fifo())
}

/// Locks a file, and returns whether it did so in time. If the file system has no locks, jobs have to choose different
/// names.
fn lock(file: &File, deadline: Instant) -> bool {
    while let Err(TryLockError::WouldBlock) = file.try_lock() {
        if Instant::now() >= deadline {
            return false;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    true
}

/// Whether both are the same file.
fn same(one: &fs::Metadata, other: &fs::Metadata) -> bool {
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        if let Some(part) = &self.part {
            let _ = fs::remove_file(part);
        }
    }
}

/// Writes a whole file.
pub fn write_file(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut file = NewFile::create(path)?;
    file.write_all(content)?;
    file.finish()
}

/// Fails if the `file` that an option names cannot be written, because a run whose result cannot be written is lost. An
/// existing file keeps its content.
pub fn try_file(option: &str, file: &Path) -> Result<()> {
    let why = || format!("{option} {}", file.display());
    ensure!(!file.is_dir(), "{}: it is a folder", why());
    if is_fifo(file) {
        // Its reader would take the end of this test for the end of the file.
        return access(file, AccessFlags::W_OK).map_err(io::Error::from).with_context(why);
    }
    NewFile::create(file).map(drop).with_context(why)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cushmem_scratch::Folder;
    use std::io::Write;
    use std::os::unix::fs::PermissionsExt;
    use std::sync::mpsc;

    fn folder(test: &str) -> Folder {
        Folder::new(test).expect("a folder")
    }

    fn names(folder: &Folder) -> Vec<String> {
        let names = fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("an entry").file_name());
        let mut names: Vec<_> = names.map(|name| name.into_string().expect("UTF-8")).collect();
        names.sort();
        names
    }

    #[test]
    fn files_that_cannot_be_written_are_found_and_the_others_are_left_alone() {
        let folder = folder("tried");
        let tried = |name: &str| try_file("--png", &folder.join(name)).map_err(|why| format!("{why:#}"));
        fs::write(folder.join("old"), "old").expect("a file");
        assert_eq!(tried("new"), Ok(()));
        assert_eq!(tried("old"), Ok(()));
        let why = tried("none/new").unwrap_err();
        assert!(why.starts_with("--png") && why.contains("No such file"), "{why}");
        assert!(tried("").unwrap_err().ends_with("it is a folder"));
        assert_eq!(try_file("--png", Path::new("/dev/null")).map_err(|why| format!("{why:#}")), Ok(()));
        assert_eq!(fs::read(folder.join("old")).expect("the file"), b"old");
        assert_eq!(names(&folder), ["old"]);
    }

    /// Catches a file behind a link at the provisional name, which is emptied, and a FIFO whose reader sees an end too
    /// early, or for which nobody has a limit.
    #[test]
    fn links_are_not_followed_and_fifos_are_written_once() {
        let folder = folder("others");
        let [victim, fifo] = ["victim", "fifo"].map(|name| folder.join(name));
        fs::write(&victim, "precious").expect("a file");
        std::os::unix::fs::symlink("victim", folder.join("x.png.part")).expect("a link");
        let refused = NewFile::create(&folder.join("x.png")).expect_err("a link");
        assert!(refused.to_string().contains("x.png.part"), "{refused}");
        assert_eq!(fs::read(&victim).expect("the file"), b"precious");
        nix::unistd::mkfifo(&fifo, nix::sys::stat::Mode::S_IRWXU).expect("a FIFO");
        fs::create_dir(folder.join("y.png.part")).expect("a folder");
        let other = folder.join("z.png.part");
        nix::unistd::mkfifo(&other, nix::sys::stat::Mode::S_IRWXU).expect("a FIFO");
        let mut reader = OpenOptions::new();
        let _reader = reader.read(true).custom_flags(OFlag::O_NONBLOCK.bits()).open(other).expect("a reader");
        for name in ["y.png", "z.png"] {
            let refused = NewFile::create(&folder.join(name)).expect_err("no regular file");
            assert!(refused.to_string().ends_with(&format!("{name}.part is not a regular file")), "{refused}");
        }
        let reader = std::thread::spawn({
            let fifo = fifo.clone();
            move || fs::read(fifo).expect("the content")
        });
        try_file("--png", &fifo).expect("it can be written");
        write_file(&fifo, b"all of it").expect("a reader");
        assert_eq!(reader.join().expect("the reader"), b"all of it");
    }

    #[test]
    fn a_name_has_the_old_file_until_the_new_one_is_whole() {
        let folder = folder("whole");
        let [name, link] = ["name", "link"].map(|name| folder.join(name));
        fs::write(&name, "old").expect("a file");
        std::os::unix::fs::symlink(&name, &link).expect("a link");
        // A killed job has left a longer file.
        fs::write(folder.join("name.part"), "a longer text").expect("a file");
        let begun = |path: &Path| {
            let mut file = NewFile::create(path).expect("room");
            file.write_all(b"new").expect("room");
            assert_eq!(fs::read(&name).expect("the file"), b"old");
            file
        };
        drop(begun(&name));
        assert_eq!(
            (names(&folder), fs::read(&name).expect("the file")),
            (vec!["link".into(), "name".into()], b"old".into())
        );
        begun(&link).finish().expect("room");
        assert_eq!(
            (names(&folder), fs::read(&name).expect("the file")),
            (vec!["link".into(), "name".into()], b"new".into())
        );
        assert!(link.is_symlink());
    }

    /// Catches a protected file that is replaced, permissions that are lost, and a link that is replaced because its
    /// target does not exist yet.
    #[test]
    fn a_new_file_is_as_the_old_one_was() {
        let folder = folder("alike");
        let [name, link, target] = ["name", "link", "target"].map(|name| folder.join(name));
        let mode = |path: &Path| fs::metadata(path).expect("the file").permissions().mode() & 0o777;
        let set_mode = |mode| fs::set_permissions(&name, fs::Permissions::from_mode(mode)).expect("ours");
        fs::write(&name, "old").expect("a file");
        set_mode(0o640);
        NewFile::create(&name).expect("room").finish().expect("room");
        assert_eq!((mode(&name), fs::read(&name).expect("the file")), (0o640, vec![]));
        std::os::unix::fs::symlink("target", &link).expect("a link");
        NewFile::create(&link).expect("room").finish().expect("room");
        assert!(link.is_symlink() && target.is_file());
        set_mode(0o440);
        // Root may write any file.
        if OpenOptions::new().append(true).open(&name).is_err() {
            assert_eq!(NewFile::create(&name).expect_err("protected").kind(), io::ErrorKind::PermissionDenied);
        }
    }

    /// Catches jobs that write into each other's file, and a job that goes on writing to a file that already has its
    /// final name.
    #[test]
    fn writers_of_one_name_take_turns() {
        let folder = folder("turns");
        let name = folder.join("name");
        let mut first = NewFile::create(&name).expect("room");
        first.write_all(b"first").expect("room");
        std::thread::scope(|scope| {
            let (begun, begins) = mpsc::channel();
            let path = &name;
            let other = scope.spawn(move || {
                let mut second = NewFile::create(path).expect("room");
                begun.send(fs::read(path).expect("the first file")).expect("a listener");
                second.write_all(b"2nd").expect("room");
                second.finish().expect("room");
            });
            assert!(begins.recv_timeout(std::time::Duration::from_millis(50)).is_err(), "it has to wait");
            first.finish().expect("room");
            assert_eq!(begins.recv().expect("it begins"), b"first");
            other.join().expect("a thread that ends");
        });
        assert_eq!((names(&folder), fs::read(&name).expect("the file")), (vec!["name".into()], b"2nd".into()));
    }
}
