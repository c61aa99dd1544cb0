//! Writes ZIP archives: deflated files with their modes, and no times, so that the same files give the same bytes.

use anyhow::{Context, Result};
use flate2::write::DeflateEncoder;
use flate2::{Compression, Crc};
use std::io::Write as _;

const LOCAL: u32 = 0x0403_4b50;
const CENTRAL: u32 = 0x0201_4b50;
const END: u32 = 0x0605_4b50;
/// The version of the format that has folders and deflated files.
const VERSION: u16 = 20;
/// In the upper byte, whose modes those in the archive are: Unix's.
const MADE_BY: u16 = 3 << 8 | VERSION;
const DEFLATED: u16 = 8;
/// The first day that the format can express.
const DATE: u16 = 1 << 5 | 1;
const REGULAR_FILE: u32 = 0o100_000;

/// An archive that is being written.
#[derive(Default)]
pub struct Zip {
    bytes: Vec<u8>,
    directory: Vec<u8>,
    files: u16,
}

impl Zip {
    /// Adds a file.
    pub fn add(&mut self, name: &str, mode: u32, content: &[u8]) -> Result<()> {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(content)?;
        let packed = encoder.finish()?;
        let mut sum = Crc::new();
        sum.update(content);
        let at = size(self.bytes.len())?;
        let mut common = Vec::new();
        words(&mut common, &[VERSION, 0, DEFLATED, 0, DATE]);
        longs(&mut common, &[sum.sum(), size(packed.len())?, size(content.len())?]);
        // Of the name, and of extra fields.
        words(&mut common, &[u16::try_from(name.len()).context("a name that is too long")?, 0]);
        longs(&mut self.bytes, &[LOCAL]);
        self.bytes.extend([&common, name.as_bytes(), &packed].concat());
        longs(&mut self.directory, &[CENTRAL]);
        words(&mut self.directory, &[MADE_BY]);
        self.directory.extend(&common);
        // The comment's length, the disk, and whether it is text.
        words(&mut self.directory, &[0, 0, 0]);
        longs(&mut self.directory, &[(REGULAR_FILE | mode) << 16, at]);
        self.directory.extend(name.as_bytes());
        self.files = self.files.checked_add(1).context("too many files")?;
        Ok(())
    }

    /// Ends the archive and returns its bytes.
    pub fn finish(mut self) -> Result<Vec<u8>> {
        let at = size(self.bytes.len())?;
        let length = size(self.directory.len())?;
        self.bytes.extend(self.directory);
        longs(&mut self.bytes, &[END]);
        // This disk, that of the directory, and the files on it and in all.
        words(&mut self.bytes, &[0, 0, self.files, self.files]);
        longs(&mut self.bytes, &[length, at]);
        // The comment's length.
        words(&mut self.bytes, &[0]);
        Ok(self.bytes)
    }
}

fn size(bytes: usize) -> Result<u32> {
    u32::try_from(bytes).context("the archive is too large for its format")
}

fn words(to: &mut Vec<u8>, words: &[u16]) {
    to.extend(words.iter().flat_map(|word| word.to_le_bytes()));
}

fn longs(to: &mut Vec<u8>, longs: &[u32]) {
    to.extend(longs.iter().flat_map(|long| long.to_le_bytes()));
}
