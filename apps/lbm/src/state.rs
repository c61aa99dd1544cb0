//! Saves a run and resumes it. The files hold the arrays that make up a state, and do not depend on the decomposition.

use crate::NAME;
use crate::checkpoint::{BYTES, Fields, HEAD, Reader, Writer};
use crate::course::Course;
use crate::element::Element;
use crate::field::{Field, state};
use crate::sheets::Whole;
use anyhow::{Context, Result, ensure};
use cushmem::Shmem;
use cushmem_program::refuse;
use std::path::Path;

/// A file from which a run resumes.
pub struct Saved<'a> {
    file: &'a Path,
    /// On PE 0, which reads the file.
    reader: Option<Reader>,
    pub course: Course,
    /// Steps made before the state was saved.
    pub done: u64,
}

/// Opens a file. Ends the job if the file is not a saved state. Collective.
pub fn open<'a>(shmem: &Shmem, file: &'a Path) -> Result<Saved<'a>> {
    let head = shmem.malloc::<u8>(HEAD)?;
    let mut reader = None;
    if shmem.my_pe() == 0 {
        match Reader::open(file) {
            Ok((opened, text)) => {
                head.copy_from(&text)?;
                reader = Some(opened);
            }
            Err(why) => return refuse(shmem, NAME, &complaint(file, &why)),
        }
    }
    shmem.barrier_all()?;
    let mut text = vec![0; HEAD];
    shmem.get(&mut text, head, 0)?;
    shmem.free(head)?;
    let (course, done) = Fields::parse(&text)
        .and_then(|fields| {
            let (course, done) = Course::of_fields(&fields)?;
            let bytes = course.problem.cells() * (state(done).count() * course.element.bytes()) as u64;
            ensure!(fields.get::<u64>(BYTES)? == bytes, "its data are not {bytes} bytes, as of this lattice");
            Ok((course, done))
        })
        .or_else(|why| refuse(shmem, NAME, &complaint(file, &why)))?;
    Ok(Saved { file, reader, course, done })
}

fn complaint(file: &Path, why: &anyhow::Error) -> String {
    format!("--restore {}: {why:#}", file.display())
}

impl Saved<'_> {
    /// Sets the arrays of a field. Collective.
    pub fn load<T: Element>(self, field: &mut Field<'_, T>) -> Result<()> {
        let arrays: Vec<u32> = state(self.done).collect();
        let mut reader = self.reader;
        let mut bytes = vec![];
        let read = |sheet: &mut [T]| {
            let Some(reader) = &mut reader else { return Ok(()) };
            bytes.resize(size_of_val(sheet), 0);
            reader.data(&mut bytes)?;
            for (value, bytes) in sheet.iter_mut().zip(bytes.chunks_exact(size_of::<T>())) {
                *value = of_bytes(bytes);
            }
            Ok(())
        };
        let write = |plane: u32, value: u32, cells: &[T]| field.write(arrays[value as usize], plane..plane + 1, cells);
        let loaded = whole(field).scatter(all_planes(field), arrays.len() as u32, read, write);
        loaded
            .and_then(|()| reader.map_or(Ok(()), Reader::finish))
            .with_context(|| format!("restore {}", self.file.display()))?;
        field.set_done(self.done);
        Ok(())
    }
}

/// Saves the state of a field. The file gets its name once it is complete. No PE continues before the file is on the
/// disk: otherwise steps, whose waits have a limit, would wait for PE 0, and their time would include the disk's.
/// Collective.
pub fn save<T: Element>(field: &Field<'_, T>, course: Course, file: &Path) -> Result<()> {
    let arrays: Vec<u32> = field.state().collect();
    let mut writer = None;
    if field.job.shmem.my_pe() == 0 {
        let bytes = course.problem.cells() * (arrays.len() * size_of::<T>()) as u64;
        writer = Some(Writer::create(file, &course.to_fields(field.done()), bytes)?);
    }
    let read = |plane: u32, value: u32| field.read(arrays[value as usize], plane..plane + 1);
    let write = |sheet: &[T]| {
        let bytes: Vec<u8> =
            sheet.iter().flat_map(|v| v.bits().to_le_bytes().into_iter().take(size_of::<T>())).collect();
        writer.as_mut().map_or(Ok(()), |writer| writer.data(&bytes))
    };
    whole(field).gather(all_planes(field), arrays.len() as u32, read, write)?;
    writer.map_or(Ok(()), Writer::finish)?;
    Ok(field.job.shmem.barrier_all()?)
}

/// The value with these bits, or NaN, which no sound state contains, if their number is wrong.
fn of_bytes<T: Element>(bytes: &[u8]) -> T {
    match (<[u8; 4]>::try_from(bytes), <[u8; 8]>::try_from(bytes)) {
        (Ok(bytes), _) => T::of(f32::from_le_bytes(bytes).into()),
        (_, Ok(bytes)) => T::of(f64::from_le_bytes(bytes)),
        _ => T::NAN,
    }
}

/// The whole box, and this PE's region.
pub fn whole<'a, T: Element>(field: &Field<'a, T>) -> Whole<'a> {
    Whole { shmem: field.job.shmem, extent: field.job.grid.size, region: field.region }
}

/// All planes of the box.
pub fn all_planes<T: Element>(field: &Field<'_, T>) -> std::ops::Range<u32> {
    0..field.job.grid.size[2]
}
