//! Files that have all of a result, or what they had before.

use std::ffi::OsString;
use std::fs::{self, File, Metadata};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::Path;

/// Writes a file. If that fails, one that was there keeps what it had: a full disk costs no earlier result, and leaves
/// nothing that looks like one. So the text goes into a file beside it, which takes the name when it is complete. In a
/// folder in which no file can be made, and to what is no regular file, the text is written where it belongs.
pub fn replace<T>(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<T>) -> io::Result<T> {
    // A link stays, and its target is replaced.
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let there = path.metadata();
    if there.as_ref().is_ok_and(|there| !there.is_file()) {
        return fill(&File::options().write(true).open(path)?, write);
    }
    let mut name = path.file_name().map_or_else(OsString::new, OsString::from);
    // Somebody else may write the same file.
    name.push(format!(".{}.new", std::process::id()));
    let beside = path.with_file_name(name);
    let file = match File::create_new(&beside) {
        Ok(file) => file,
        Err(error) if matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded) => return Err(error),
        Err(_) => return fill(&File::create(path)?, write),
    };
    let take_over = |there: Metadata| file.set_permissions(there.permissions());
    let done = there.map_or(Ok(()), take_over).and_then(|()| fill(&file, write));
    let done = done.and_then(|done| fs::rename(&beside, path).map(|()| done));
    if done.is_err() {
        // It is of no use to anybody.
        let _ = fs::remove_file(&beside);
    }
    done
}

fn fill<T>(file: &File, write: impl FnOnce(&mut dyn Write) -> io::Result<T>) -> io::Result<T> {
    let mut file = BufWriter::new(file);
    let done = write(&mut file)?;
    file.flush()?;
    Ok(done)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    /// Catches a failure in the middle that costs what was there, or leaves half of a result, and a file that is
    /// readable for more people than before.
    #[test]
    fn a_file_has_all_of_a_result_or_what_it_had() {
        let folder = cushmem_scratch::Folder::new("replace").expect("a folder");
        let (path, link) = (folder.join("result"), folder.join("link"));
        let fails = |path: &Path| {
            let half = |file: &mut dyn Write| file.write_all(&[b'x'; 100_000]).and(Err(ErrorKind::StorageFull.into()));
            replace::<()>(path, half).expect_err("the disk is full").kind()
        };
        let names = || fs::read_dir(&folder).expect("the folder").count();
        assert_eq!((fails(&path), names()), (ErrorKind::StorageFull, 0));
        fs::write(&path, "what was there").expect("a file");
        fs::set_permissions(&path, PermissionsExt::from_mode(0o600)).expect("it is mine");
        symlink(&path, &link).expect("a link");
        assert_eq!((fails(&link), names()), (ErrorKind::StorageFull, 2));
        assert_eq!(fs::read_to_string(&path).expect("it is there"), "what was there");
        replace(&link, |file| file.write_all(b"all")).expect("there is room");
        assert_eq!((fs::read_to_string(&path).expect("it is there").as_str(), names()), ("all", 2));
        assert!(link.is_symlink() && path.metadata().expect("it is there").permissions().mode() & 0o777 == 0o600);
        let full = replace(Path::new("/dev/full"), |file| file.write_all(b"text"));
        assert_eq!(full.expect_err("there is no room").kind(), ErrorKind::StorageFull);
    }
}
