//! Finds the executable's globals: its writable segments, without what becomes read-only after relocation. They are
//! found from the program headers that the loader keeps, without allocating, because this runs before `main`.

use libc::{Elf64_Phdr, PF_W, PF_X, PT_GNU_RELRO, PT_INTERP, PT_LOAD, PT_NOTE, c_int, c_void, dl_phdr_info};
use std::mem::MaybeUninit;

/// Linkers make one or two.
const MAX_PARTS: usize = 4;

/// One range of globals, in whole pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) start: usize,
    pub(super) bytes: usize,
    /// The first bytes, this many, come from the executable's file; the rest starts as zero.
    pub(super) initialised: usize,
}

/// All globals of the executable.
#[derive(Clone, Copy, Debug)]
pub(super) struct Image {
    parts: [Part; MAX_PARTS],
    n_parts: usize,
    /// A number that all processes have in common that run the same executable.
    pub(super) identity: u64,
    /// Whether the C library is a shared object, so that what it uses around a fork is not among the globals.
    pub(super) is_dynamic: bool,
}

impl Image {
    /// `None` if the executable has no globals, or if its layout is not known.
    pub(super) fn find() -> Option<Self> {
        let mut found: Option<Self> = None;
        // SAFETY: the callback gets the variable, and runs only during this call.
        unsafe { libc::dl_iterate_phdr(Some(first_object), (&raw mut found).cast()) };
        found.filter(|image| image.n_parts > 0)
    }

    pub(super) fn parts(&self) -> &[Part] {
        &self.parts[..self.n_parts]
    }

    /// Address of the first global.
    pub(super) fn start(&self) -> usize {
        self.parts[0].start
    }

    /// The bytes from the first to the end of the last global.
    pub(super) fn bytes(&self) -> usize {
        let last = self.parts[self.n_parts - 1];
        last.start + last.bytes - self.start()
    }

    /// The offset of an address in the globals, and how many bytes follow it.
    #[inline]
    pub(super) fn offset(&self, address: usize) -> Option<(usize, usize)> {
        let part = self.parts().iter().find(|part| address.wrapping_sub(part.start) < part.bytes)?;
        Some((address - self.start(), part.start + part.bytes - address))
    }
}

/// The loader's list starts with the executable.
unsafe extern "C" fn first_object(info: *mut dl_phdr_info, _: usize, found: *mut c_void) -> c_int {
    // SAFETY: the loader passes its entry, and `find` its variable.
    let (info, found) = unsafe { (&*info, &mut *found.cast::<Option<Image>>()) };
    // SAFETY: the headers lie in the executable, which stays mapped.
    let headers = unsafe { std::slice::from_raw_parts(info.dlpi_phdr, usize::from(info.dlpi_phnum)) };
    let bias = info.dlpi_addr as usize;
    let (parts, n_parts) = parts(headers, bias, page_bytes());
    let is_dynamic = headers.iter().any(|h| h.p_type == PT_INTERP);
    // SAFETY: the headers lie in the executable, which stays mapped, and `find` reads them with its bias.
    let identity = unsafe { identity(headers, bias) };
    *found = Some(Image { parts, n_parts, identity, is_dynamic });
    1
}

pub(super) fn page_bytes() -> usize {
    // SAFETY: only reads a setting.
    unsafe { libc::sysconf(libc::_SC_PAGESIZE) as usize }
}

/// Returns none if there are more than fit.
fn parts(headers: &[Elf64_Phdr], bias: usize, page: usize) -> ([Part; MAX_PARTS], usize) {
    let down = |address: usize| address & !(page - 1);
    let relro = headers.iter().find(|h| h.p_type == PT_GNU_RELRO).map_or(0..0, |h| {
        let start = bias + h.p_vaddr as usize;
        // The loader protects whole pages only, so a page that partly belongs to something else stays writable.
        down(start)..down(start + h.p_memsz as usize)
    });
    let (mut parts, mut n_parts) = ([Part::default(); MAX_PARTS], 0);
    for header in headers.iter().filter(|h| h.p_type == PT_LOAD && h.p_flags & (PF_W | PF_X) == PF_W) {
        let first = bias + header.p_vaddr as usize;
        let start = if relro.contains(&first) { relro.end } else { down(first) };
        let end = (first + header.p_memsz as usize).next_multiple_of(page);
        let initialised =
            (first + header.p_filesz as usize).next_multiple_of(page).clamp(start, end.max(start)) - start;
        if start >= end {
            continue;
        }
        if n_parts == MAX_PARTS {
            return (parts, 0);
        }
        parts[n_parts] = Part { start, bytes: end - start, initialised };
        n_parts += 1;
    }
    parts[..n_parts].sort_unstable_by_key(|part| part.start);
    (parts, n_parts)
}

/// # Safety
/// The headers are those of an object that is mapped with this bias.
unsafe fn identity(headers: &[Elf64_Phdr], bias: usize) -> u64 {
    let mut hash = Fnv::new();
    for header in headers {
        let numbers = [header.p_vaddr, header.p_memsz, header.p_filesz, u64::from(header.p_type)];
        numbers.iter().for_each(|number| hash.add(&number.to_ne_bytes()));
    }
    for header in headers.iter().filter(|h| h.p_type == PT_NOTE) {
        let start = std::ptr::with_exposed_provenance(bias + header.p_vaddr as usize);
        // SAFETY: the caller guarantees that the segment is mapped, and nobody writes notes.
        let notes = unsafe { std::slice::from_raw_parts(start, header.p_memsz as usize) };
        if let Some(id) = build_id(notes, header.p_align as usize) {
            hash.add(id);
            return hash.0;
        }
    }
    // Without a build ID, identify the file.
    let mut stat = MaybeUninit::<libc::stat>::uninit();
    // SAFETY: a name that ends in zero, and room for the answer.
    if unsafe { libc::stat(c"/proc/self/exe".as_ptr(), stat.as_mut_ptr()) } == 0 {
        // SAFETY: the call filled it in.
        let stat = unsafe { stat.assume_init() };
        hash.add(&stat.st_dev.to_ne_bytes());
        hash.add(&stat.st_ino.to_ne_bytes());
    }
    hash.0
}

/// The linker's fingerprint of the executable.
fn build_id(mut notes: &[u8], alignment: usize) -> Option<&[u8]> {
    const BUILD_ID: u32 = 3;
    let alignment = alignment.max(4);
    while let Some((header, rest)) = notes.split_at_checked(12) {
        let number = |at: usize| u32::from_ne_bytes(std::array::from_fn(|i| header[at + i]));
        let (name_bytes, id_bytes) = (number(0) as usize, number(4) as usize);
        let id_at = name_bytes.checked_next_multiple_of(alignment)?;
        let id = rest.get(id_at..)?.get(..id_bytes)?;
        if number(8) == BUILD_ID && rest.get(..name_bytes) == Some(b"GNU\0") {
            return Some(id);
        }
        notes = rest.get(id_at + id_bytes.next_multiple_of(alignment)..)?;
    }
    None
}

/// The hash FNV-1a, to distinguish executables.
struct Fnv(u64);

impl Fnv {
    fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(kind: u32, flags: u32, vaddr: u64, filesz: u64, memsz: u64) -> Elf64_Phdr {
        Elf64_Phdr {
            p_type: kind,
            p_flags: flags,
            p_offset: 0,
            p_vaddr: vaddr,
            p_paddr: vaddr,
            p_filesz: filesz,
            p_memsz: memsz,
            p_align: 4096,
        }
    }

    fn found(headers: &[Elf64_Phdr]) -> Vec<(usize, usize, usize)> {
        let (parts, n) = parts(headers, 0x10_0000, 4096);
        parts[..n].iter().map(|p| (p.start, p.bytes, p.initialised)).collect()
    }

    #[test]
    fn relocated_read_only_memory_is_left_out() {
        let text = header(PT_LOAD, PF_X | 4, 0x1000, 0x800, 0x800);
        let data = header(PT_LOAD, PF_W | 4, 0x3db8, 0x290, 0x5000);
        let relro = header(PT_GNU_RELRO, 4, 0x3db8, 0x248, 0x248);
        assert_eq!(found(&[text, data, relro]), [(0x10_4000, 0x5000, 0x1000)]);
        // The end is not on a page boundary, and the loader protects whole pages only.
        let short = header(PT_GNU_RELRO, 4, 0x3db8, 0x200, 0x200);
        assert_eq!(found(&[text, data, short]), [(0x10_3000, 0x6000, 0x2000)]);
        assert_eq!(found(&[text, data]), [(0x10_3000, 0x6000, 0x2000)]);
    }

    #[test]
    fn several_segments_in_order_and_never_code() {
        let relro_segment = header(PT_LOAD, PF_W | 4, 0x3000, 0x1000, 0x1000);
        let relro = header(PT_GNU_RELRO, 4, 0x3000, 0x1000, 0x1000);
        let data = header(PT_LOAD, PF_W | 4, 0x5010, 0x20, 0x20);
        let large = header(PT_LOAD, PF_W | 4, 0x20_0000, 0, 0x1_0000_0000);
        let code = header(PT_LOAD, PF_W | PF_X | 4, 0x9000, 0x1000, 0x1000);
        let expected = [(0x10_5000, 0x1000, 0x1000), (0x30_0000, 0x1_0000_0000, 0)];
        assert_eq!(found(&[large, relro_segment, relro, code, data]), expected);
        assert_eq!(found(&[relro_segment, relro, code]), []);
        assert_eq!(found(&[data; MAX_PARTS + 1]), []);
    }

    #[test]
    fn the_build_id_is_found_behind_other_notes() {
        let note = |kind: u32, name: &[u8], id: &[u8]| {
            let mut bytes = [name.len() as u32, id.len() as u32, kind].map(u32::to_ne_bytes).concat();
            for part in [name, id] {
                bytes.extend(part);
                bytes.resize(bytes.len().next_multiple_of(4), 0);
            }
            bytes
        };
        let notes =
            [note(1, b"GNU\0", b"0123456789abcdef"), note(3, b"Go\0", b"no"), note(3, b"GNU\0", b"yes!!")].concat();
        assert_eq!(build_id(&notes, 4), Some(&b"yes!!"[..]));
        for cut in [0, 11, 30, notes.len() - 9] {
            assert_eq!(build_id(&notes[..cut], 4), None, "{cut}");
        }
    }

    static GLOBAL: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(7);

    #[test]
    fn this_program_has_globals() {
        let image = Image::find().expect("a test has globals");
        let (offset, left) = image.offset((&raw const GLOBAL).addr()).expect("a variable is one");
        assert!(offset + left <= image.bytes() && left >= 8 && image.is_dynamic, "{image:?}");
        let private = 0u64;
        assert_eq!(image.offset((&raw const private).addr()), None);
        assert_eq!(image.identity, Image::find().expect("as before").identity);
    }
}
