//! The table that people read, and the file of costs.

use crate::said::{Found, Line};
use nix::fcntl::OFlag;
use std::fmt;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// The headings of the table's columns.
pub fn heading() -> String {
    let [from, to, start, shipped, rate] = ["from", "to", "start µs", "shipped", "GB/s"];
    format!(
        "{:19} {from:8} {to:10} {start:>9} {shipped:>8} {rate:>9} {shipped:>8} {:>7} {:>7}",
        "path", "spread", "off"
    )
}

/// From this bandwidth upwards, the bytes count as taking no time.
const NO_LIMIT_GB_S: f64 = 1e6;

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, from, to, .. } = self;
        let (start, shipped) = ((self.overhead_ns + self.latency_ns) / 1e3, self.shipped.0 / 1e3);
        let gb_s = |gb_s: f64| match gb_s {
            NO_LIMIT_GB_S.. => "-".to_owned(),
            ..1.0 => format!("{gb_s:.4}"),
            _ => format!("{gb_s:.1}"),
        };
        let (rate, shipped_rate) = (gb_s(self.gb_s), gb_s(self.shipped.1));
        let (spread, off) = (100.0 * self.spread, 100.0 * self.off);
        write!(
            f,
            "{what:19} {from:8} {to:10} {start:>9.2} {shipped:>8.2} {rate:>9} {shipped_rate:>8} {spread:>6.0}% {off:>6.0}%"
        )
    }
}

/// Where and when the figures were measured.
pub struct Origin {
    /// `2026-11-23`
    date: String,
    machine: String,
}

impl Origin {
    pub fn of_this_machine(found: &Found, pes: u32) -> Self {
        let read = |file| fs::read_to_string(file).unwrap_or_default();
        let (host, cpus) = (read("/proc/sys/kernel/hostname"), read("/proc/cpuinfo"));
        let model = cpus.lines().find(|line| line.starts_with("model name")).and_then(|line| line.split_once(": "));
        let count = cpus.lines().filter(|line| line.starts_with("processor")).count();
        let gpu = match &found.gpu {
            Some(Ok(name)) => name,
            _ => "none",
        };
        let model = model.map_or("unknown", |(_, name)| name);
        let machine = format!("{}, {count} CPUs ({model}), GPU: {gpu}; jobs of {pes} PEs", host.trim());
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        Self { date: date(seconds / 86_400), machine }
    }
}

/// The text of the file.
pub fn text(origin: &Origin, found: &Found) -> String {
    let Origin { date, machine } = origin;
    let mut text = format!(
        "{}\n{} {}\n# Measured by shmem-tune {} on {date}.\n# {machine}\n# {:17} {:8} {:8} {:>11} {:>11} {:>11}  where it is from\n",
        cushmem_path::COSTS_HEAD,
        cushmem_path::COSTS_COUNT,
        found.lines.len(),
        env!("CARGO_PKG_VERSION"),
        "path",
        "from",
        "to",
        "overhead_ns",
        "latency_ns",
        "GB/s"
    );
    for Line { what, from, to, overhead_ns, latency_ns, gb_s, .. } in &found.lines {
        // The bandwidth of a slow path needs more decimals, and none may become 0, which the library refuses.
        let gb_s = match gb_s {
            ..1e-3 => format!("{gb_s:.3e}"),
            ..1.0 => format!("{gb_s:.6}"),
            _ => format!("{gb_s:.2}"),
        };
        text += &format!(
            "{what:19} {from:8} {to:8} {overhead_ns:>11.1} {latency_ns:>11.1} {gb_s:>11}  measured: shmem-tune, {date}\n"
        );
    }
    for absent in &found.absent {
        text += &format!("# Not measured, so the library's own figure applies: {absent}\n");
    }
    text + "# Not measured, because kernels start them: proxy, held\n"
}

/// The file before it has its final name, which it gets in one step.
pub struct Unnamed {
    path: PathBuf,
    beside: PathBuf,
    /// Whether it may replace a file.
    force: bool,
}

impl Unnamed {
    /// Fails if the name is taken, if it is not that of a regular file, which cannot be replaced, or if no file can be
    /// created beside it.
    pub fn new(path: &Path, force: bool) -> Result<Self, String> {
        // A link stays, and its target is replaced.
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.into());
        let unnamed = Self { beside: path.with_added_extension("new"), path, force };
        let cannot = |why| Err(format!("write {}: {why}", unnamed.path.display()));
        match fs::symlink_metadata(&unnamed.path) {
            Ok(there) if there.is_dir() => return cannot("it is a folder"),
            Ok(there) if there.is_symlink() => return cannot("it is a link, and its target does not exist"),
            Ok(there) if !there.is_file() => return cannot("it is not a regular file"),
            Ok(_) if !force => return Err(unnamed.taken()),
            _ => {}
        }
        unnamed.write("")?;
        Ok(unnamed)
    }

    fn taken(&self) -> String {
        format!("{} already exists; --force replaces it", self.path.display())
    }

    /// Writes the results so far.
    pub fn write(&self, text: &str) -> Result<(), String> {
        let mut options = OpenOptions::new();
        // A link that somebody left there would lead to another file, which would be lost, and a FIFO would wait.
        options.write(true).create(true).truncate(true).custom_flags((OFlag::O_NOFOLLOW | OFlag::O_NONBLOCK).bits());
        let written = options.open(&self.beside).and_then(|mut file| match file.metadata()?.is_file() {
            true => file.write_all(text.as_bytes()),
            false => Err(io::Error::other("it is not a regular file")),
        });
        written.map_err(|error| format!("write {}: {error}", self.beside.display()))
    }

    /// Gives the file its name. Replaces an existing file only if `force` is set.
    pub fn finish(self) -> Result<(), String> {
        let Self { path, beside, force } = &self;
        // Takes the name in one step, and fails if it exists.
        let take = || OpenOptions::new().write(true).create_new(true).open(path).map(drop);
        let taken = if *force { Ok(()) } else { take() };
        let named = taken.and_then(|()| fs::rename(beside, path));
        named.map_err(|error| {
            let why = match error.kind() {
                io::ErrorKind::AlreadyExists => self.taken(),
                _ => format!("write {}: {error}", path.display()),
            };
            format!("{why} (the figures are in {})", beside.display())
        })
    }

    /// Removes the file if it has no figures. Returns the reason, with the place of the figures if there are some.
    pub fn abandon(self, is_empty: bool, why: &str) -> String {
        if !is_empty {
            return format!("{why} (the figures so far are in {})", self.beside.display());
        }
        // A file without figures does no harm.
        let _ = fs::remove_file(self.beside);
        why.to_owned()
    }
}

/// The date of a day that is counted from 1970-01-01.
fn date(mut days: u64) -> String {
    let is_leap = |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let mut year = 1970;
    while days >= 365 + u64::from(is_leap(year)) {
        days -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let lengths = [31, 28 + u64::from(is_leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while days >= lengths[month] {
        days -= lengths[month];
        month += 1;
    }
    format!("{year}-{:02}-{:02}", month + 1, days + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cushmem_path::{Costs, GpuLink, LocalKind, Measured, Path as Way};
    use cushmem_scratch::Folder;

    fn found() -> Found {
        let line = |what: &str, from: &str, to: &str, gb_s| Line {
            what: what.into(),
            from: from.into(),
            to: to.into(),
            overhead_ns: 1234.56,
            latency_ns: 0.0,
            gb_s,
            spread: 0.031,
            off: 0.25,
            shipped: (7000.0, 55.0),
        };
        let lines = vec![
            line("copy-engine", "pageable", "gpu", 33.3),
            line("copy-engine", "gpu", "pageable", 20.0),
            line("cross-memory", "any", "any", 12.0),
            line("launch", "any", "any", 1e9),
            line("staged-here", "any", "any", 0.0251),
        ];
        let absent = vec!["gpu-agent gpu gpu: several PEs share this GPU".to_owned()];
        let mut found = Found { gpu: Some(Ok("NVIDIA H200".into())), lines, absent, failed: 0 };
        found.add_sums();
        found
    }

    /// Catches a file that the library refuses or from which it reads other figures.
    #[test]
    fn the_library_reads_what_is_written() {
        let origin = Origin { date: "2026-11-23".into(), machine: "a machine".into() };
        let mut slow = found();
        slow.lines[0].gb_s = 4e-8;
        let slow = super::text(&origin, &slow);
        assert!(slow.contains(" 4.000e-8 ") && Measured::parse("FILE", &slow).is_ok(), "{slow}");
        let text = text(&origin, &found());
        let mut costs = Costs::shipped(GpuLink::NvLink);
        Measured::parse("FILE", &text).unwrap_or_else(|e| panic!("{e}\n{text}")).apply(&mut costs);
        let figure = costs.figure(Way::CopyEngine, LocalKind::Pageable, LocalKind::Gpu);
        assert!((figure.cost.start_ns() - 1234.6).abs() < 1e-6, "{figure:?}");
        assert!((figure.cost.bytes_per_ns() - 33.3).abs() < 1e-6, "{figure:?}");
        assert_eq!(figure.source, "measured: shmem-tune, 2026-11-23");
        let sum = costs.figure(Way::CrossMemoryStaged, LocalKind::Gpu, LocalKind::Pageable);
        assert!((sum.cost.start_ns() - 2469.1).abs() < 0.2 && (sum.cost.bytes_per_ns() - 7.5).abs() < 1e-3, "{sum:?}");
        assert!(costs.table(None).starts_with("costs: FILE (CUSHMEM_COSTS), 7 lines; else "), "{}", costs.table(None));
        assert!(
            text.contains("# Not measured, so the library's own figure applies: gpu-agent gpu gpu: several PEs"),
            "{text}"
        );
    }

    /// Catches a file that is replaced without `--force`, a name that appears before the file is complete, and figures
    /// that are lost because the name was taken.
    #[test]
    fn a_file_gets_its_name_when_it_is_whole_and_replaces_none() {
        let folder = Folder::new("tune").expect("a folder");
        let path = folder.join("a.costs");
        let names = || fs::read_dir(&folder).expect("the folder").count();
        let read = || fs::read_to_string(&path).expect("the file");
        let unnamed = Unnamed::new(&path, false).expect("a place");
        unnamed.write("first").expect("room");
        assert!(!path.exists());
        unnamed.finish().expect("the name is free");
        assert_eq!((read().as_str(), names()), ("first", 1));
        assert!(Unnamed::new(&path, false).is_err_and(|why| why.ends_with("already exists; --force replaces it")));
        let unnamed = Unnamed::new(&path, true).expect("a place");
        unnamed.write("second").expect("room");
        assert_eq!(read(), "first");
        unnamed.finish().expect("it may be replaced");
        assert_eq!((read().as_str(), names()), ("second", 1));
        fs::remove_file(&path).expect("the file");
        let unnamed = Unnamed::new(&path, false).expect("a place");
        unnamed.write("third").expect("room");
        fs::write(&path, "another's").expect("room");
        let why = unnamed.finish().expect_err("the name was taken meanwhile");
        assert!(why.contains("already exists") && why.ends_with("a.costs.new)") && read() == "another's", "{why}");
        assert!(Unnamed::new(&folder, true).is_err_and(|why| why.ends_with("it is a folder")));
        assert!(Unnamed::new(&folder.join("none/a.costs"), true).is_err_and(|why| why.contains("No such file")));
    }

    /// Catches a device that is replaced by a file, a link that is lost, and a wait for the reader of a FIFO.
    #[test]
    fn only_regular_files_are_replaced() {
        let folder = Folder::new("tune-kinds").expect("a folder");
        let [fifo, link, dangling, target] = ["fifo", "link", "dangling", "target"].map(|name| folder.join(name));
        for name in [&fifo, &folder.join("beside.new")] {
            nix::unistd::mkfifo(name, nix::sys::stat::Mode::S_IRWXU).expect("a FIFO");
        }
        let why = |path: &Path| Unnamed::new(path, true).err().expect("it cannot be replaced");
        assert!(why(&fifo).ends_with("it is not a regular file"), "{}", why(&fifo));
        assert!(why(Path::new("/dev/full")).ends_with("it is not a regular file"));
        assert!(why(&folder.join("beside")).contains("beside.new: "));
        std::os::unix::fs::symlink("nowhere", &dangling).expect("a link");
        assert!(why(&dangling).ends_with("its target does not exist"), "{}", why(&dangling));
        fs::write(&target, "old").expect("a file");
        std::os::unix::fs::symlink("target", &link).expect("a link");
        let unnamed = Unnamed::new(&link, true).expect("a place");
        unnamed.write("new").expect("room");
        unnamed.finish().expect("it may be replaced");
        assert!(link.is_symlink());
        assert_eq!(fs::read_to_string(&target).expect("the file"), "new");
    }

    /// Catches a file behind a link at the provisional name, which is emptied.
    #[test]
    fn a_link_is_not_followed() {
        let folder = Folder::new("tune-link").expect("a folder");
        fs::write(folder.join("victim"), "precious").expect("a file");
        std::os::unix::fs::symlink("victim", folder.join("c.costs.new")).expect("a link");
        let path = folder.join("c.costs");
        let why = Unnamed::new(&path, true).err().expect("a link");
        assert!(why.contains("c.costs.new"), "{why}");
        assert_eq!(fs::read(folder.join("victim")).expect("the file"), b"precious");
    }

    #[test]
    fn columns_stand_under_their_heads() {
        let row = found().lines[0].to_string();
        assert_eq!(
            row,
            "copy-engine         pageable gpu             1.23     7.00      33.3     55.0      3%     25%"
        );
        assert_eq!(row.chars().count(), heading().chars().count());
    }

    #[test]
    fn days_have_dates() {
        let dates = [0, 58, 59, 11_016, 11_017, 20_780].map(date);
        assert_eq!(dates, ["1970-01-01", "1970-02-28", "1970-03-01", "2000-02-29", "2000-03-01", "2026-11-23"]);
    }
}
