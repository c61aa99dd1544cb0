//! What the PEs record about themselves for `--stats` and `--trace` ([`cushmem_record`]).
//!
//! The records of all PEs are one file in memory, which has no name. Each PE inherits it and maps its own part. The
//! supervisor keeps the file open and reads it when all PEs have ended, so a PE that crashes leaves all that it has
//! recorded, and nothing stays behind, whoever dies.

use std::cell::Cell;
use std::fmt::Display;
use std::fs::{File, Metadata};
use std::io::{BufWriter, Write};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};
use std::os::unix::fs::{FileExt, FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

use cushmem_environment::TRACE_EVENTS;
use cushmem_record::{Layout, Record, Source, Written};
use flate2::Compression;
use flate2::write::GzEncoder;
use nix::sys::memfd::{MFdFlags, memfd_create};

use crate::args::Options;

/// The range of `CUSHMEM_TRACE_EVENTS`.
const EVENTS: std::ops::RangeInclusive<usize> = 1024..=16 << 20;
/// How many bytes of a timeline are packed at a time.
const PACKED_AT_ONCE: usize = 1 << 16;

/// The records of the PEs, and what to do with them.
pub struct Records {
    file: File,
    layout: Layout,
    /// Whether a table is wanted; it goes to a file if there is one.
    has_stats: bool,
    stats: Option<Output>,
    trace: Option<Output>,
}

/// The part of one PE in the file.
struct Part<'a> {
    file: &'a File,
    at: u64,
}

impl Source for Part<'_> {
    fn read(&self, at: u64, bytes: &mut [u8]) -> std::io::Result<()> {
        self.file.read_exact_at(bytes, self.at + at)
    }
}

/// What is left when a job has ended.
#[derive(Default)]
pub struct Conclusion {
    /// The table.
    pub text: String,
    /// What is to be said, line by line.
    pub lines: Vec<String>,
    /// Whether a file could not be written.
    pub has_failed: bool,
}

impl Records {
    /// Makes the file, if the command line asks for a table or a timeline.
    pub fn new(options: &Options, n_pes: u32) -> Result<Option<Self>, String> {
        if options.stats.is_none() && options.trace.is_none() {
            return Ok(None);
        }
        let stats = options.stats.iter().flatten().next().map(|path| Output::open(path)).transpose()?;
        let trace = options.trace.as_ref().map(|path| Output::open(path)).transpose()?;
        if let (Some(stats), Some(trace)) = (&stats, &trace)
            && stats.is_same(trace)
        {
            return Err(format!("--stats and --trace both name {}", trace.path.display()));
        }
        let slots = if options.trace.is_some() { events()? } else { 0 };
        let layout = Layout::of_job(n_pes, slots);
        let cannot = |error: std::io::Error| format!("make memory for what PEs record: {error}");
        let file: File =
            memfd_create("cushmem-records", MFdFlags::MFD_CLOEXEC).map_err(|error| cannot(error.into()))?.into();
        file.set_len(layout.bytes() as u64 * u64::from(n_pes)).map_err(cannot)?;
        let head: Vec<u8> = layout.head().iter().flat_map(|word| word.to_le_bytes()).collect();
        for pe in 0..u64::from(n_pes) {
            file.write_all_at(&head, pe * layout.bytes() as u64).map_err(cannot)?;
        }
        Ok(Some(Self { file, layout, has_stats: options.stats.is_some(), stats, trace }))
    }

    /// The file, for PEs.
    pub fn file(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }

    /// What the PE at this index is told: the number of the file, which one it is, where the PE's part is, and for how
    /// many peers and events.
    pub fn told(&self, index: u32) -> String {
        let Layout { peers, slots } = self.layout;
        // A process that cannot be told which file it is does not take it.
        let inode = self.file.metadata().map_or(0, |found| found.ino());
        let file = self.file.as_raw_fd();
        format!("{file}:{inode}:{}:{peers}:{slots}", u64::from(index) * self.layout.bytes() as u64)
    }

    /// The table of a job that is running, with these PEs, if it was asked for.
    pub fn so_far(&self, pes: impl Iterator<Item = u32>) -> Option<String> {
        if !self.has_stats {
            return None;
        }
        let records = (0u64..).zip(pes).filter_map(|(index, pe)| Some((pe, self.part(index)?)));
        let records: Vec<_> = records.collect();
        Some(cushmem_record::table(&records, false))
    }

    /// The record of the PE at this index, if it is one.
    fn part(&self, index: u64) -> Option<Record<'_>> {
        let record = Record::new(Part { file: &self.file, at: index * self.layout.bytes() as u64 })?;
        // The PE may have written anything.
        (record.layout() == self.layout).then_some(record)
    }

    /// Called when the PEs, whose numbers these are, have ended. Where none of them has joined the job, nothing is
    /// written, so that what an earlier job has left stays. Asks whether to `go_on` while the timeline is written.
    pub fn conclude(&self, pes: impl Iterator<Item = u32>, go_on: &mut dyn FnMut() -> bool) -> Conclusion {
        let mut done = Conclusion::default();
        let mut records = vec![];
        for (index, pe) in (0u64..).zip(pes) {
            match self.part(index) {
                Some(record) => records.push((pe, record)),
                None => done.lines.push(format!("PE {pe} has overwritten what it recorded")),
            }
        }
        if records.iter().all(|(_, record)| record.process().is_none()) {
            done.lines.push("no PE has joined the job, so nothing was recorded".into());
            return done;
        }
        records.sort_by_key(|(pe, _)| *pe);
        match &self.stats {
            Some(output) => {
                let json = cushmem_record::json(&records);
                if let Err(error) = output.write(|file| file.write_all(json.as_bytes())) {
                    done.fail("--stats", output, &error);
                }
            }
            None if self.has_stats => done.text = cushmem_record::table(&records, true),
            None => {}
        }
        if let Some(output) = &self.trace {
            match write_timeline(output, &records, go_on) {
                Ok(written) => done.lines.push(said(&output.path, written)),
                Err(error) => done.fail("--trace", output, &error),
            }
        }
        done
    }
}

impl Conclusion {
    fn fail(&mut self, option: &str, output: &Output, error: &std::io::Error) {
        self.lines.push(format!("{option}: {}: {error}", output.path.display()));
        self.has_failed = true;
    }
}

fn said(path: &Path, of: Written) -> String {
    let (Written { written, dropped, is_whole, .. }, path) = (of, path.display());
    if !is_whole {
        return format!("the first {written} events in {path}: a signal stopped the writing of the others");
    }
    let dropped = match dropped {
        0 => String::new(),
        _ => format!("; {dropped} earlier ones were dropped ({} keeps more)", TRACE_EVENTS.name),
    };
    format!("{written} events in {path}, for ui.perfetto.dev or chrome://tracing{dropped}")
}

/// Writes the timeline, compressed if the name ends with `.gz`.
fn write_timeline(
    output: &Output,
    records: &[(u32, Record)],
    go_on: &mut dyn FnMut() -> bool,
) -> std::io::Result<Written> {
    output.write(|mut file| {
        if output.path.extension().is_none_or(|extension| extension != "gz") {
            return cushmem_record::timeline(records, &mut file, go_on);
        }
        // Packing a few bytes at a time takes several times as long.
        let mut packed = BufWriter::with_capacity(PACKED_AT_ONCE, GzEncoder::new(file, Compression::fast()));
        let done = cushmem_record::timeline(records, &mut packed, go_on)?;
        packed.into_inner()?.finish()?;
        Ok(done)
    })
}

/// A file for the result. It is opened before the job starts, which should not find out at its end that it cannot be
/// written. Until then it keeps what it had, and goes away again if it is new.
struct Output {
    path: PathBuf,
    file: File,
    is_new: bool,
    is_written: Cell<bool>,
}

impl Output {
    fn open(path: &Path) -> Result<Self, String> {
        let cannot = |why: &dyn Display| format!("{}: {why}", path.display());
        let is_new = path.symlink_metadata().is_err();
        // To open one would wait for its reader.
        if path.metadata().is_ok_and(|found| found.file_type().is_fifo()) {
            return Err(cannot(&"it is a pipe, not a file"));
        }
        let file =
            File::options().write(true).create(true).truncate(false).open(path).map_err(|error| cannot(&error))?;
        Ok(Self { path: path.to_owned(), file, is_new, is_written: Cell::new(false) })
    }

    /// Whether both are the same file on a disk.
    fn is_same(&self, other: &Self) -> bool {
        let found = [self, other].map(|one| one.file.metadata().ok().filter(Metadata::is_file));
        matches!(found, [Some(one), Some(other)] if (one.dev(), one.ino()) == (other.dev(), other.ino()))
    }

    /// Replaces the contents.
    fn write<T>(&self, write: impl FnOnce(&mut dyn Write) -> std::io::Result<T>) -> std::io::Result<T> {
        self.is_written.set(true);
        if self.file.metadata()?.is_file() {
            self.file.set_len(0)?;
        }
        let mut file = BufWriter::new(&self.file);
        let done = write(&mut file)?;
        file.flush()?;
        Ok(done)
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if self.is_new && !self.is_written.get() {
            // If it is no longer there, somebody else has removed it.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// `CUSHMEM_TRACE_EVENTS`.
fn events() -> Result<usize, String> {
    let default = TRACE_EVENTS.default_value().expect("it has a default");
    let given = std::env::var_os(TRACE_EVENTS.name).filter(|value| !value.is_empty());
    let text = given.map_or_else(|| default.into(), |value| value.to_string_lossy().into_owned());
    let number = text.trim().parse().ok().filter(|number| EVENTS.contains(number));
    number.ok_or_else(|| {
        let (name, text) = (TRACE_EVENTS.name, text.escape_debug());
        format!("{name}: '{text}' is not a number of events from {} to {}", EVENTS.start(), EVENTS.end())
    })
}
