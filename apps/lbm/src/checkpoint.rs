//! `--save` and `--restore`: the file that holds the whole state of a run.
//!
//! ```text
//!   0      4096 bytes of text: what it is and its version; a line `key value` for each parameter; the length of the data; a checksum of all that
//!   4096   the data: sheets in their order, the same for every decomposition
//!   end-8  a checksum of the data
//! ```
//!
//! The file under that name is always complete: a run that is killed loses only the steps since the last save. Numbers
//! in the text have enough digits to be restored exactly.

use anyhow::{Context, Result, bail, ensure};
use cushmem_program::NewFile;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

/// The length of the head.
pub const HEAD: usize = 4096;
const FIRST_LINE: &str = "cushmem lbm state, version 1";
/// The key of the line with the length of the data.
pub const BYTES: &str = "bytes";
const CHECK: &str = "check ";

/// The lines of the head.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fields(Vec<(String, String)>);

impl Fields {
    /// Adds a line. The key has no space, and the value no line break.
    pub fn set(&mut self, key: &str, value: impl std::fmt::Display) {
        self.0.push((key.into(), value.to_string()));
    }

    /// The value of a key.
    pub fn text(&self, key: &str) -> Result<&str> {
        let line = self.0.iter().find(|(name, _)| name == key);
        line.map(|(_, value)| &**value).with_context(|| format!("it lacks `{key}`"))
    }

    /// The value of a key, parsed as a number or another type.
    pub fn get<T: std::str::FromStr>(&self, key: &str) -> Result<T> {
        self.get_if(key, |_| true)
    }

    /// The value of a key, refused unless it satisfies `can_be`.
    pub fn get_if<T: std::str::FromStr>(&self, key: &str, can_be: impl Fn(&T) -> bool) -> Result<T> {
        let text = self.text(key)?;
        text.parse().ok().filter(can_be).with_context(|| format!("`{key} {text}` is not valid"))
    }

    /// The head of a file with this many bytes of data.
    fn head(&self, bytes: u64) -> Result<Vec<u8>> {
        let mut text = format!("{FIRST_LINE}\n");
        for (key, value) in &self.0 {
            let _ = writeln!(text, "{key} {value}");
        }
        let _ = writeln!(text, "{BYTES} {bytes}");
        let sum = Checksum::of(text.as_bytes());
        let _ = writeln!(text, "{CHECK}{sum:016x}");
        ensure!(text.len() <= HEAD, "the parameters have no room in {HEAD} bytes");
        let mut head = text.into_bytes();
        head.resize(HEAD, b'\n');
        Ok(head)
    }

    /// The lines of a head.
    pub fn parse(head: &[u8]) -> Result<Self> {
        let foreign = "it is not a state of lbm";
        let text = std::str::from_utf8(head).ok().context(foreign)?;
        let first = text.lines().next().unwrap_or_default();
        if first != FIRST_LINE {
            let (known, version) = FIRST_LINE.rsplit_once(' ').context(foreign)?;
            match first.strip_prefix(known) {
                Some(other) => bail!("it is of version{other}, and this program reads version {version}"),
                None => bail!(foreign),
            }
        }
        let (body, sum) = text.split_once(CHECK).context("its head is damaged")?;
        let sum = u64::from_str_radix(sum.trim_end(), 16).ok().context("its head is damaged")?;
        ensure!(sum == Checksum::of(body.as_bytes()), "its head is damaged");
        let lines = body.lines().skip(1).filter_map(|line| line.split_once(' '));
        Ok(Self(lines.map(|(key, value)| (key.into(), value.into())).collect()))
    }
}

/// A checksum of pieces of data. Each is padded to whole words, so the checksum depends on where pieces end.
#[derive(Clone, Copy)]
struct Checksum(u64);

impl Checksum {
    const START: Self = Self(0xcbf2_9ce4_8422_2325);

    fn of(bytes: &[u8]) -> u64 {
        let mut sum = Self::START;
        sum.add(bytes);
        sum.0
    }

    /// Each step is a bijection of the previous sum, so that a change of one word always changes the result.
    fn add(&mut self, bytes: &[u8]) {
        let mut word = |word: u64| self.0 = (self.0 ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        let (words, rest) = bytes.as_chunks::<8>();
        words.iter().for_each(|bytes| word(u64::from_le_bytes(*bytes)));
        if !rest.is_empty() {
            word(rest.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)));
        }
    }
}

/// A file that is being written.
pub struct Writer {
    path: PathBuf,
    file: BufWriter<NewFile>,
    sum: Checksum,
}

impl Writer {
    /// Starts a file with this head and this many bytes of data.
    pub fn create(path: &Path, fields: &Fields, bytes: u64) -> Result<Self> {
        let file = NewFile::create(path).with_context(|| format!("create {}", path.display()))?;
        let mut writer = Self { path: path.into(), file: BufWriter::new(file), sum: Checksum::START };
        writer.write(&fields.head(bytes)?)?;
        Ok(writer)
    }

    /// Writes the next piece of the data.
    pub fn data(&mut self, bytes: &[u8]) -> Result<()> {
        self.sum.add(bytes);
        self.write(bytes)
    }

    /// Completes the file and gives it its name.
    pub fn finish(mut self) -> Result<()> {
        self.write(&self.sum.0.to_le_bytes())?;
        let file = self.file.into_inner().map_err(io::IntoInnerError::into_error);
        file.and_then(NewFile::finish).with_context(|| format!("write {}", self.path.display()))
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.file.write_all(bytes).with_context(|| format!("write {}", self.path.display()))
    }
}

/// A file that is being read.
pub struct Reader {
    file: BufReader<File>,
    sum: Checksum,
}

impl Reader {
    /// Opens a file and reads its head. Returns the text of the head too.
    pub fn open(path: &Path) -> Result<(Self, Vec<u8>)> {
        // Before it is opened, because opening a FIFO waits for a writer.
        ensure!(std::fs::metadata(path).context("open")?.is_file(), "it is not a regular file");
        let file = File::open(path).context("open")?;
        let length = file.metadata().context("open")?.len();
        let mut file = BufReader::new(file);
        let mut head = vec![];
        file.by_ref().take(HEAD as u64).read_to_end(&mut head).context("read")?;
        let bytes: u64 = Fields::parse(&head)?.get(BYTES)?;
        let whole = bytes.checked_add(HEAD as u64 + 8).context("its length is not valid")?;
        ensure!(length >= whole, "it is truncated: it has {length} of {whole} bytes");
        ensure!(length == whole, "it is too long: it has {length} bytes instead of {whole}");
        Ok((Self { file, sum: Checksum::START }, head))
    }

    /// Reads the next piece of the data.
    pub fn data(&mut self, bytes: &mut [u8]) -> Result<()> {
        self.file.read_exact(bytes).context("read")?;
        self.sum.add(bytes);
        Ok(())
    }

    /// To be called after all data was read: fails if it is not what was written.
    pub fn finish(mut self) -> Result<()> {
        let mut sum = [0; 8];
        self.file.read_exact(&mut sum).context("read")?;
        ensure!(u64::from_le_bytes(sum) == self.sum.0, "its data is damaged");
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cushmem_scratch::Folder;
    use std::fs;

    fn fields() -> Fields {
        let mut fields = Fields::default();
        fields.set("size", 7);
        fields.set("tension", 0.1f64 + 0.2);
        fields
    }

    fn written(path: &Path) -> Vec<u8> {
        let mut writer = Writer::create(path, &fields(), 25).expect("a file");
        writer.data(&[1; 20]).expect("room");
        writer.data(&[2, 3, 4, 5, 6]).expect("room");
        assert!(!path.exists(), "no half file under the name");
        writer.finish().expect("room");
        fs::read(path).expect("the file")
    }

    fn read(path: &Path) -> Result<(Fields, Vec<u8>)> {
        let (mut reader, head) = Reader::open(path)?;
        let mut data = vec![0; 25];
        let (first, second) = data.split_at_mut(20);
        reader.data(first)?;
        reader.data(second)?;
        reader.finish()?;
        Ok((Fields::parse(&head)?, data))
    }

    #[test]
    fn what_was_written_is_read() {
        let folder = Folder::new("lbm-read").expect("a folder");
        let path = folder.join("state");
        written(&path);
        let (fields, data) = read(&path).expect("a whole file");
        assert_eq!((fields.get::<u32>("size").unwrap(), fields.get::<f64>("tension").unwrap()), (7, 0.1 + 0.2));
        assert_eq!((&data[..20], &data[20..]), (&[1; 20][..], &[2, 3, 4, 5, 6][..]));
        assert_eq!(fields.get::<u32>("sise").unwrap_err().to_string(), "it lacks `sise`");
    }

    /// Catches a reader that accepts a file with any byte changed or the end missing, or a file of another kind.
    #[test]
    fn a_damaged_cut_or_foreign_file_is_refused_in_a_line_that_says_why() {
        let folder = Folder::new("lbm-damaged").expect("a folder");
        let path = folder.join("state");
        let good = written(&path);
        let complaint = |bytes: &[u8]| {
            fs::write(&path, bytes).expect("the file");
            let text = format!("{:#}", read(&path).expect_err("a complaint"));
            assert!(!text.contains('\n'), "{text}");
            text
        };
        for at in (0..good.len()).step_by(3) {
            let mut bad = good.clone();
            bad[at] ^= 0x41;
            let said = complaint(&bad);
            let expected =
                ["it is not a state of lbm", "it is of version", "its head is damaged", "its data is damaged"];
            assert!(expected.iter().any(|e| said.starts_with(e)), "byte {at}: {said}");
        }
        assert_eq!(complaint(&good[..good.len() - 1]), format!("it is truncated: it has {} of {} bytes", 4128, 4129));
        assert_eq!(complaint(&good[..HEAD]), "it is truncated: it has 4096 of 4129 bytes");
        assert_eq!(complaint(&good[..60]), "its head is damaged");
        assert_eq!(complaint(b""), "it is not a state of lbm");
        assert_eq!(complaint(&[0xff; 5000]), "it is not a state of lbm");
        let newer = [b"cushmem lbm state, version 2\n".as_slice(), &good[29..]].concat();
        assert_eq!(complaint(&newer), "it is of version 2, and this program reads version 1");
        let longer = [&good[..], b"x"].concat();
        assert_eq!(complaint(&longer), "it is too long: it has 4130 bytes instead of 4129");
    }
}
