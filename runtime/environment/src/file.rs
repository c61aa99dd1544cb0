//! Small files that settings name.

use std::fs::File;
use std::io::{Error, ErrorKind, Read, Result};
use std::path::Path;

/// The most bytes that a file of settings may have.
const MOST_BYTES: u64 = 16 << 20;

/// Reads a file that a setting names. It must be a regular file of at most 16 MiB: reading a device may never end, and
/// opening a FIFO may wait for ever.
pub fn text_of(path: impl AsRef<Path>) -> Result<String> {
    let path = path.as_ref();
    // Before the file is opened, because that may already wait.
    if !std::fs::metadata(path)?.is_file() {
        return Err(Error::new(ErrorKind::InvalidInput, "it is not a regular file"));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(Error::new(ErrorKind::InvalidInput, format!("it has more than {} MiB", MOST_BYTES >> 20)));
    }
    String::from_utf8(bytes).map_err(|_| Error::new(ErrorKind::InvalidData, "it is not valid UTF-8"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_small_regular_files_are_read() {
        let why = |path: &str| text_of(path).unwrap_err().to_string();
        assert_eq!(why("/dev/zero"), "it is not a regular file");
        assert_eq!(why("/"), "it is not a regular file");
        assert!(why("/nowhere/at/all").contains("No such file"));
        let folder = cushmem_scratch::Folder::new("files").expect("a folder");
        let [small, large] = ["small", "large"].map(|name| folder.join(name));
        std::fs::write(&small, "some text").expect("create a file");
        assert_eq!(text_of(&small).unwrap(), "some text");
        File::create(&large).and_then(|file| file.set_len(MOST_BYTES + 1)).expect("create a file");
        assert_eq!(text_of(&large).unwrap_err().to_string(), "it has more than 16 MiB");
    }
}
