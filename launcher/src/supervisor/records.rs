//! What the PEs record about themselves for `--stats` and `--trace` ([`cushmem_record`]).
//!
//! The records of all PEs are one file in memory, which has no name. Each PE inherits it and maps its own part. The
//! supervisor keeps the file open and reads it when all PEs have ended, so a PE that crashes leaves all that it has
//! recorded, and nothing stays behind, whoever dies.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use cushmem_environment::TRACE_EVENTS;
use cushmem_record::{Layout, Record};
use flate2::Compression;
use flate2::write::GzEncoder;
use nix::sys::memfd::{MFdFlags, memfd_create};

use crate::args::Options;

/// The range of `CUSHMEM_TRACE_EVENTS`.
const EVENTS: std::ops::RangeInclusive<usize> = 1024..=16 << 20;

/// The records of the PEs, and what to do with them.
pub struct Records {
    file: File,
    layout: Layout,
    stats: Option<Option<PathBuf>>,
    trace: Option<PathBuf>,
}

impl Records {
    /// Makes the file, if the command line asks for a table or a timeline.
    pub fn new(options: &Options, n_pes: u32) -> Result<Option<Self>, String> {
        if options.stats.is_none() && options.trace.is_none() {
            return Ok(None);
        }
        for path in options.stats.iter().flatten().chain(&options.trace) {
            is_writable(path)?;
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
        Ok(Some(Self { file, layout, stats: options.stats.clone(), trace: options.trace.clone() }))
    }

    /// The file, for PEs.
    pub fn file(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }

    /// What the PE at this index is told: the number of the file, where its part is, and for how many peers and events.
    pub fn told(&self, file: i32, index: u32) -> String {
        let Layout { peers, slots } = self.layout;
        format!("{file}:{}:{peers}:{slots}", u64::from(index) * self.layout.bytes() as u64)
    }

    /// The table of a job that is running, with these PEs, if it was asked for.
    pub fn so_far(&self, pes: impl Iterator<Item = u32>) -> Option<String> {
        self.stats.as_ref()?;
        let mut bytes = vec![0; self.layout.counter_bytes()];
        let mut record = |index: u64| {
            self.file.read_exact_at(&mut bytes, index * self.layout.bytes() as u64).ok()?;
            Record::of_counters(&bytes)
        };
        let records: Vec<_> = (0u64..).zip(pes).filter_map(|(index, pe)| Some((pe, record(index)?))).collect();
        Some(cushmem_record::table(&records, false))
    }

    /// Called when the PEs, whose numbers these are, have ended. Returns the text to print, and lines about it.
    pub fn conclude(&self, pes: impl Iterator<Item = u32>) -> (String, Vec<String>) {
        let mut bytes = vec![0; self.layout.bytes()];
        let mut lines = vec![];
        let mut records = vec![];
        for (index, pe) in (0u64..).zip(pes) {
            let read = self.file.read_exact_at(&mut bytes, index * self.layout.bytes() as u64);
            match read.ok().and_then(|()| Record::new(&bytes)) {
                Some(record) => records.push((pe, record)),
                None => lines.push(format!("PE {pe} has overwritten what it recorded")),
            }
        }
        records.sort_by_key(|(pe, _)| *pe);
        let mut text = String::new();
        match &self.stats {
            Some(None) => text = cushmem_record::table(&records, true),
            Some(Some(path)) => {
                let written = std::fs::write(path, cushmem_record::json(&records));
                lines.extend(written.err().map(|error| format!("--stats: {}: {error}", path.display())));
            }
            None => {}
        }
        if let Some(path) = &self.trace {
            lines.push(match write_timeline(path, &records) {
                Ok((written, dropped)) => said(path, written, dropped),
                Err(error) => format!("--trace: {}: {error}", path.display()),
            });
        }
        (text, lines)
    }
}

fn said(path: &Path, written: u64, dropped: u64) -> String {
    let path = path.display();
    let dropped = match dropped {
        0 => String::new(),
        _ => format!("; {dropped} earlier ones were dropped ({} keeps more)", TRACE_EVENTS.name),
    };
    format!("{written} events in {path}, for ui.perfetto.dev or chrome://tracing{dropped}")
}

/// Writes the timeline, compressed if the name ends with `.gz`.
fn write_timeline(path: &Path, records: &[(u32, Record)]) -> std::io::Result<(u64, u64)> {
    let mut file = BufWriter::new(File::create(path)?);
    if path.extension().is_some_and(|extension| extension == "gz") {
        let mut packed = GzEncoder::new(&mut file, Compression::fast());
        let done = cushmem_record::timeline(records, &mut packed)?;
        packed.finish()?;
        file.flush()?;
        return Ok(done);
    }
    let done = cushmem_record::timeline(records, &mut file)?;
    file.flush()?;
    Ok(done)
}

/// Fails unless a file can be written there. A job that has run for hours should not find out at its end.
fn is_writable(path: &Path) -> Result<(), String> {
    let is_new = !path.exists();
    File::options().append(true).create(true).open(path).map_err(|error| format!("{}: {error}", path.display()))?;
    if is_new {
        let _ = std::fs::remove_file(path);
    }
    Ok(())
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
