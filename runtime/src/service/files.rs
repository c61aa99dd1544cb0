//! Files behind cached arrays: the proxy reads parts of them to chunks of the command ring and writes them from there,
//! for kernels, with as many requests under way as there are chunks.
//!
//! Where the system permits it, requests go through `io_uring` ([`super::uring`]) and end in any order. Otherwise, as
//! in many containers, the thread reads and writes itself, one request after the other, and says so once. Parts whose
//! place and length are multiples of a page bypass the page cache (`O_DIRECT`), if the file system can do that; the
//! rest, such as the end of the file, does not.
//!
//! A read that finds less than it needs, because the file has been truncated, is an error like any other: it names the
//! file and the place, and ends the job, so that no kernel computes with bytes that were not read and no bytes that
//! were to be written are lost without a word. The hole of a file reads as zeros. So a write to a file that is shorter
//! than its array is an error too: behind the end, it would make the file longer again, and what was cut off would read
//! as zeros. The length is looked at before each write, which costs a system call (`fstat`), and at the end of a flush.
//! What is cut off between the look and the last write is the gap that is left.

use super::uring::Uring;
use crate::sync::locked;
use cushmem_environment::log;
use std::fs::{File, OpenOptions};
use std::io::{Error, ErrorKind, Result};
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// How long the end of the proxy waits for requests of kernels that have failed.
const LONGEST_END: Duration = Duration::from_secs(5);
/// Places and lengths that bypass the page cache are multiples of this.
const PAGE: u64 = 4096;

/// An open file.
pub(crate) struct OpenFile {
    path: PathBuf,
    /// Bytes of the array.
    bytes: u64,
    file: File,
    /// The same file, without the page cache.
    direct: Option<File>,
}

impl OpenFile {
    /// Opens a file of at least so many bytes. A file that is to be written is created and made longer if need be.
    pub(crate) fn open(path: &Path, bytes: u64, writes: bool) -> std::result::Result<Self, String> {
        let failed = |error: Error| format!("{}: {error}", path.display());
        let file = OpenOptions::new().read(true).write(writes).create(writes).truncate(false).open(path);
        let file = file.map_err(failed)?;
        let about = file.metadata().map_err(failed)?;
        if !about.is_file() {
            return Err(format!("{} is not a regular file", path.display()));
        }
        if about.len() < bytes {
            if !writes {
                return Err(format!("{} has {} bytes, but the array has {bytes}", path.display(), about.len()));
            }
            file.set_len(bytes).map_err(failed)?;
        }
        let direct = OpenOptions::new().read(true).write(writes).custom_flags(libc::O_DIRECT).open(path).ok();
        Ok(Self { path: path.to_owned(), bytes, file, direct })
    }

    /// Where it was opened.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Waits until the device has what was written.
    pub(crate) fn sync(&self) -> std::result::Result<(), String> {
        let synced = self.file.sync_data().map_err(|error| error.to_string());
        synced.and_then(|()| self.is_whole()).map_err(|why| format!("{}: {why}", self.path.display()))
    }

    /// Writes bytes at a place.
    pub(crate) fn write_at(&self, bytes: &[u8], offset: u64) -> std::result::Result<(), String> {
        self.may_write(bytes.len(), offset)?;
        self.file.write_all_at(bytes, offset).map_err(|error| self.failed(true, bytes.len(), offset, &error))
    }

    /// Says why nothing may be written, if the file has been truncated.
    fn may_write(&self, bytes: usize, offset: u64) -> std::result::Result<(), String> {
        self.is_whole().map_err(|why| format!("write {bytes} bytes at {offset} of {}: {why}", self.path.display()))
    }

    fn is_whole(&self) -> std::result::Result<(), String> {
        let len = self.file.metadata().map_err(|error| error.to_string())?.len();
        if len >= self.bytes {
            return Ok(());
        }
        Err(format!("the file has {len} bytes, but the array has {}: it has been truncated", self.bytes))
    }

    fn failed(&self, writes: bool, bytes: usize, offset: u64, error: &Error) -> String {
        let (what, path) = (if writes { "write" } else { "read" }, self.path.display());
        match error.kind() {
            ErrorKind::UnexpectedEof => {
                format!("{what} {bytes} bytes at {offset} of {path}: the file ends before: it has been truncated")
            }
            ErrorKind::WriteZero => {
                format!("{what} {bytes} bytes at {offset} of {path}: the system takes none of them")
            }
            _ => format!("{what} {bytes} bytes at {offset} of {path}: {error}"),
        }
    }
}

/// The files of a PE that kernels may name, by number and generation.
#[derive(Default)]
pub(crate) struct Files(Mutex<Vec<(u32, Option<Arc<OpenFile>>)>>);

impl Files {
    /// Gives a file a number and a generation.
    pub(crate) fn add(&self, file: Arc<OpenFile>) -> [u32; 2] {
        let mut all = locked(&self.0);
        let free = all.iter().position(|(_, file)| file.is_none());
        let index = free.unwrap_or_else(|| {
            all.push((0, None));
            all.len() - 1
        });
        let (generation, entry) = &mut all[index];
        *generation = generation.wrapping_add(1);
        *entry = Some(file);
        [index as u32, *generation]
    }

    /// The file with this number, if it is of this generation.
    pub(crate) fn get(&self, index: u32, generation: u32) -> Option<Arc<OpenFile>> {
        let all = locked(&self.0);
        let (of, file) = all.get(index as usize)?;
        file.clone().filter(|_| *of == generation)
    }

    /// Forgets a file.
    pub(crate) fn remove(&self, index: u32) {
        locked(&self.0)[index as usize].1 = None;
    }
}

/// A part of a file that a lane waits for.
pub(super) struct Request {
    pub(super) writes: bool,
    pub(super) file: Arc<OpenFile>,
    /// The number and the address of a chunk of the command ring.
    pub(super) chunk: usize,
    pub(super) address: usize,
    pub(super) bytes: usize,
    pub(super) offset: u64,
    /// The ticket of the reply.
    pub(super) reply: u64,
}

/// A request that is under way.
struct Begun {
    request: Request,
    /// Bytes that have been read or written.
    done: usize,
    direct: bool,
}

impl Begun {
    fn new(request: Request) -> Self {
        let aligned = request.offset.is_multiple_of(PAGE) && (request.bytes as u64).is_multiple_of(PAGE);
        let direct = aligned && request.file.direct.is_some();
        Self { request, done: 0, direct }
    }

    fn file(&self) -> &File {
        self.request.file.direct.as_ref().filter(|_| self.direct).unwrap_or(&self.request.file.file)
    }

    /// What is still to be read or written: where in memory, how many bytes, and where in the file.
    fn rest(&self) -> (usize, usize, u64) {
        let Request { address, bytes, offset, .. } = self.request;
        (address + self.done, bytes - self.done, offset + self.done as u64)
    }

    /// Notes what the system says. Returns whether all is done; if not, the rest is to be asked for.
    fn advance(&mut self, result: Result<usize>) -> std::result::Result<bool, String> {
        let Request { writes, bytes, offset, ref file, .. } = self.request;
        let failed = |error| file.failed(writes, bytes, offset, &error);
        match result {
            Ok(0) if writes => return Err(failed(ErrorKind::WriteZero.into())),
            Ok(0) => return Err(failed(ErrorKind::UnexpectedEof.into())),
            Ok(n) => self.done += n,
            // Such a place or length is not for this device.
            Err(error) if self.direct && error.raw_os_error() == Some(libc::EINVAL) => {}
            Err(error) if matches!(error.kind(), ErrorKind::Interrupted | ErrorKind::WouldBlock) => return Ok(false),
            Err(error) => return Err(failed(error)),
        }
        self.direct = false;
        Ok(self.done >= bytes)
    }
}

/// The requests that the proxy has under way.
#[derive(Default)]
pub(super) struct FileIo {
    /// `None` before the first request, and `Some(None)` if the system does not permit it.
    uring: Option<Option<Uring>>,
    /// By the number of the chunk.
    begun: Vec<Option<Begun>>,
    under_way: usize,
}

impl FileIo {
    /// Takes a request, whose chunk is kept until it is done. Fails, before anything is written, if the file has been
    /// truncated.
    pub(super) fn begin(&mut self, request: Request) -> std::result::Result<(), String> {
        if request.writes {
            request.file.may_write(request.bytes, request.offset)?;
        }
        let chunk = request.chunk;
        if self.begun.len() <= chunk {
            self.begun.resize_with(chunk + 1, || None);
        }
        self.begun[chunk] = Some(Begun::new(request));
        self.under_way += 1;
        let uring = self.uring.get_or_insert_with(|| {
            let made = Uring::new();
            if let Err(why) = &made {
                log!(Info, "files of arrays: no io_uring ({why}), so one request after the other");
            }
            made.ok()
        });
        if let (Some(uring), Some(begun)) = (uring, &self.begun[chunk]) {
            uring.push(chunk, begun.file(), begun.request.writes, begun.rest());
        }
        Ok(())
    }

    pub(super) fn is_under_way(&self) -> bool {
        self.under_way > 0
    }

    /// Waits until no request is under way, because the chunks are about to go. What fails now concerns no kernel.
    /// Returns whether all have ended; if not, the chunks must stay.
    pub(super) fn end(&mut self) -> bool {
        let start = Instant::now();
        while self.under_way > 0 && start.elapsed() < LONGEST_END {
            let _ = self.progress(drop);
            std::thread::yield_now();
        }
        self.under_way == 0
    }

    /// Advances all requests, and calls `done` with each that is done. Returns whether there were any; the error says
    /// what failed.
    pub(super) fn progress(&mut self, mut done: impl FnMut(Request)) -> std::result::Result<bool, String> {
        if self.under_way == 0 {
            return Ok(false);
        }
        let Self { uring, begun, under_way } = self;
        // Takes a request that has ended, well or not.
        let mut finish = |slot: &mut Option<Begun>, done: &mut dyn FnMut(Request)| {
            if let Some(begun) = slot.take() {
                *under_way -= 1;
                done(begun.request);
            }
        };
        let Some(Some(uring)) = uring else {
            // One request, so that commands do not wait for all of them.
            let Some(slot) = begun.iter_mut().find(|slot| slot.is_some()) else { return Ok(false) };
            while let Some(one) = slot {
                let result = super::uring::one(one.file(), one.request.writes, one.rest());
                match one.advance(result) {
                    Ok(false) => {}
                    Ok(true) => finish(slot, &mut done),
                    Err(why) => {
                        finish(slot, &mut drop);
                        return Err(why);
                    }
                }
            }
            return Ok(true);
        };
        if let Err(error) = uring.submit() {
            let first = begun.iter().flatten().next().map(|one| &one.request);
            let text = first.map(|one| one.file.failed(one.writes, one.bytes, one.offset, &error));
            return Err(format!("io_uring: {}", text.unwrap_or_else(|| error.to_string())));
        }
        let mut moved = false;
        while let Some((chunk, result)) = uring.take() {
            let slot = &mut begun[chunk];
            let Some(one) = slot else { continue };
            match one.advance(result) {
                Ok(false) => uring.push(chunk, one.file(), one.request.writes, one.rest()),
                Ok(true) => {
                    finish(slot, &mut done);
                    moved = true;
                }
                Err(why) => {
                    finish(slot, &mut drop);
                    return Err(why);
                }
            }
        }
        Ok(moved)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cushmem_scratch::Folder;

    const CHUNK: usize = 8192;

    /// Chunks whose places are multiples of a page.
    fn chunks(n: usize) -> (Vec<u8>, usize) {
        let mut memory = vec![0u8; (n + 1) * CHUNK];
        let start = memory.as_mut_ptr().expose_provenance();
        (memory, start.next_multiple_of(CHUNK) - start)
    }

    fn folder() -> Folder {
        Folder::new("files").expect("a folder")
    }

    fn run(io: &mut FileIo, requests: Vec<Request>) -> std::result::Result<Vec<u64>, String> {
        let (n, mut replies) = (requests.len(), vec![]);
        requests.into_iter().try_for_each(|request| io.begin(request))?;
        while replies.len() < n {
            if let Err(why) = io.progress(|request| replies.push(request.reply)) {
                // A request that has failed is not asked for again.
                assert_eq!(io.under_way, n - replies.len() - 1);
                return Err(why);
            }
        }
        assert!(!io.is_under_way());
        replies.sort_unstable();
        Ok(replies)
    }

    /// Catches a part that is read from or written to another place, with `io_uring` and without, and an end of the
    /// file that gets longer.
    #[test]
    fn parts_are_where_they_belong() {
        for uring in [None, Some(None)] {
            let is_default = uring.is_none();
            let folder = folder();
            let file = Arc::new(OpenFile::open(&folder.join("parts"), 5 * 8192 + 100, true).expect("a file"));
            let ((mut memory, from), mut io) = (chunks(6), FileIo { uring, ..FileIo::default() });
            let start = memory.as_mut_ptr().expose_provenance() + from;
            let request = |chunk: usize, writes| Request {
                writes,
                file: file.clone(),
                chunk,
                address: start + chunk * CHUNK,
                bytes: if chunk == 5 { 100 } else { CHUNK },
                offset: (chunk * CHUNK) as u64,
                reply: chunk as u64,
            };
            let value = |i: usize| (i / 7 + i / 8192) as u8;
            (0..6 * CHUNK).for_each(|i| memory[from + i] = value(i));
            assert_eq!(run(&mut io, (0..6).map(|chunk| request(chunk, true)).collect()), Ok(vec![0, 1, 2, 3, 4, 5]));
            memory[from..from + 6 * CHUNK].fill(0);
            assert_eq!(run(&mut io, (0..6).map(|chunk| request(chunk, false)).collect()), Ok(vec![0, 1, 2, 3, 4, 5]));
            assert!((0..5 * CHUNK + 100).all(|i| memory[from + i] == value(i)), "uring by default: {is_default}");
            assert_eq!(file.file.metadata().expect("its length").len(), 5 * 8192 + 100);
            assert_eq!(file.sync(), Ok(()));
            let (used, permitted) = (matches!(io.uring, Some(Some(_))), Uring::new());
            assert_eq!(used, is_default && permitted.is_ok(), "io_uring is not used as it could be");
            if let Err(why) = permitted {
                eprintln!("left out: io_uring: {why}");
            }
            // A truncated file is no end of zeros.
            file.file.set_len(8192).expect("truncate");
            let why = run(&mut io, vec![request(2, false)]).expect_err("it is truncated");
            assert!(why.starts_with("read 8192 bytes at 16384 of ") && why.contains("truncated"), "{why}");
            // Nor is it made longer again, by a part in front of its end either.
            for chunk in [0, 2] {
                let why = run(&mut io, vec![request(chunk, true)]).expect_err("it is truncated");
                let place = format!("write 8192 bytes at {} of ", 8192 * chunk);
                assert!(why.starts_with(&place), "{why}");
                assert!(why.ends_with(": the file has 8192 bytes, but the array has 41060: it has been truncated"));
            }
            assert_eq!((file.write_at(&[1], 0).is_err(), file.sync().is_err()), (true, true));
            assert_eq!(file.file.metadata().expect("its length").len(), 8192);
        }
    }

    /// Catches whole pages that go through the page cache although the file system can bypass it, and other parts that
    /// do not.
    #[test]
    fn whole_pages_bypass_the_page_cache() {
        let (folder, bytes) = (folder(), 4 * PAGE);
        let path = folder.join("direct");
        std::fs::write(&path, [1; 16]).expect("a file");
        let probe = OpenOptions::new().read(true).custom_flags(libc::O_DIRECT).open(&path);
        let has_direct = probe.is_ok();
        if let Err(why) = probe {
            eprintln!("left out: O_DIRECT: {why}");
        }
        for writes in [true, false] {
            let file = Arc::new(OpenFile::open(&path, bytes, writes).expect("open"));
            let bypasses = |offset: u64, bytes: usize| {
                let begun =
                    Begun::new(Request { writes, file: file.clone(), chunk: 0, address: 0, bytes, offset, reply: 0 });
                let flags = nix::fcntl::fcntl(begun.file(), nix::fcntl::FcntlArg::F_GETFL).expect("flags");
                flags & libc::O_DIRECT != 0
            };
            assert_eq!((bypasses(0, 8192), bypasses(PAGE, 4096)), (has_direct, has_direct), "writes: {writes}");
            assert!(!bypasses(0, 100) && !bypasses(512, 4096) && !bypasses(PAGE, 512), "writes: {writes}");
        }
    }

    /// Catches an error of the device that is taken for success: nothing can be written to `/dev/full`.
    #[test]
    fn a_full_device_is_an_error() {
        let full = OpenOptions::new().write(true).open("/dev/full").expect("open");
        for uring in [None, Some(None)] {
            let file =
                OpenFile { path: "/dev/full".into(), bytes: 0, file: full.try_clone().expect("clone"), direct: None };
            let ((mut memory, from), mut io) = (chunks(1), FileIo { uring, ..FileIo::default() });
            let address = memory.as_mut_ptr().expose_provenance() + from;
            let file = Arc::new(file);
            let request = Request { writes: true, file, chunk: 0, address, bytes: 512, offset: 1024, reply: 7 };
            let why = run(&mut io, vec![request]).expect_err("there is no room");
            assert_eq!(why, "write 512 bytes at 1024 of /dev/full: No space left on device (os error 28)");
        }
    }

    /// Catches a file that is too short for its array, and a name of a file that is gone.
    #[test]
    fn files_have_lengths_and_generations() {
        let folder = folder();
        let path = folder.join("short");
        let short = OpenFile::open(&path, 100, true).expect("it is made");
        let longer = OpenFile::open(&path, 101, false);
        assert!(longer.is_err_and(|why| why.ends_with("has 100 bytes, but the array has 101")));
        assert!(OpenFile::open(Path::new("/dev"), 0, false).is_err_and(|why| why.contains("/dev")));
        let files = Files::default();
        let [index, generation] = files.add(Arc::new(short));
        assert!(files.get(index, generation).is_some() && files.get(index, generation + 1).is_none());
        files.remove(index);
        assert!(files.get(index, generation).is_none() && files.get(index + 1, generation).is_none());
    }
}
