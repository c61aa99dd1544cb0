//! `--vtk`: order parameter, pressure and velocity as a VTK image (`.vti`) for ParaView and VisIt.
//!
//! A short XML head says where in the file the three arrays start. They follow as raw 32-bit numbers, each array
//! preceded by its length. Cells of the lattice are points of the image, so that a contour filter shows the drop's
//! surface. PE 0 writes the file, a few planes at a time.

use anyhow::{Context, Result};
use cushmem_program::NewFile;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// The number of values per cell, in the order of the sheets: φ, p and the three components of the velocity.
pub const VALUES: u32 = 5;
/// The names of the arrays, and the number of values in each.
const ARRAYS: [(&str, usize); 3] = [("phi", 1), ("pressure", 1), ("velocity", 3)];
/// The size of an array's length field: the length in bytes, as a 64-bit number, precedes the array.
const LENGTH: u64 = 8;

/// A file that is being written.
pub struct Image {
    path: PathBuf,
    file: NewFile,
    sheet: usize,
    cells: u64,
    /// Where the first array starts.
    start: u64,
    /// Sheets written so far.
    sheets: u32,
    /// The velocity components of a plane, until all three have arrived.
    velocity: Vec<f32>,
}

impl Image {
    /// Starts a file for a grid of this extent.
    pub fn create(path: &Path, extent: [u32; 3]) -> Result<Self> {
        let cells = extent.iter().map(|n| u64::from(*n)).product();
        let head = head(extent, cells);
        let file = NewFile::create(path).with_context(|| format!("create {}", path.display()))?;
        let image = Self {
            path: path.into(),
            file,
            sheet: extent[0] as usize * extent[1] as usize,
            cells,
            start: head.len() as u64,
            sheets: 0,
            velocity: vec![],
        };
        image.write(head.as_bytes(), 0)?;
        for (array, (_, values)) in ARRAYS.iter().enumerate() {
            image.write(&(cells * *values as u64 * 4).to_le_bytes(), image.start + offset(array, cells))?;
        }
        Ok(image)
    }

    /// Takes the next sheet: φ, pressure and the three velocity components of a plane, plane by plane.
    pub fn take(&mut self, sheet: &[f32]) -> Result<()> {
        let (plane, value) = (self.sheets / VALUES, self.sheets % VALUES);
        self.sheets += 1;
        if value < 2 {
            return self.put(value as usize, plane, sheet);
        }
        self.velocity.extend(sheet);
        if value + 1 < VALUES {
            return Ok(());
        }
        let parts = std::mem::take(&mut self.velocity);
        let vector = |i: usize| parts.iter().skip(i).step_by(sheet.len()).copied();
        self.put(2, plane, &(0..sheet.len()).flat_map(vector).collect::<Vec<_>>())
    }

    /// Ends the file.
    pub fn finish(self) -> Result<()> {
        self.write(TAIL.as_bytes(), self.start + offset(ARRAYS.len(), self.cells))?;
        self.file.finish().with_context(|| format!("write {}", self.path.display()))
    }

    fn put(&self, array: usize, plane: u32, values: &[f32]) -> Result<()> {
        let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        let before = u64::from(plane) * self.sheet as u64 * ARRAYS[array].1 as u64 * 4;
        self.write(&bytes, self.start + offset(array, self.cells) + LENGTH + before)
    }

    fn write(&self, bytes: &[u8], at: u64) -> Result<()> {
        self.file.file().write_all_at(bytes, at).with_context(|| format!("write {}", self.path.display()))
    }
}

/// The position of an array, including its length field, relative to the first array.
fn offset(array: usize, cells: u64) -> u64 {
    ARRAYS[..array].iter().map(|(_, values)| LENGTH + cells * *values as u64 * 4).sum()
}

fn head(extent: [u32; 3], cells: u64) -> String {
    let [x, y, z] = extent.map(|n| n - 1);
    let arrays: String = (0..)
        .zip(ARRAYS)
        .map(|(i, (name, values))| {
            let at = offset(i, cells);
            format!(
                "        <DataArray type=\"Float32\" Name=\"{name}\" NumberOfComponents=\"{values}\" format=\"appended\" offset=\"{at}\"/>\n"
            )
        })
        .collect();
    format!(
        "<?xml version=\"1.0\"?>\n\
         <VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n  \
         <ImageData WholeExtent=\"0 {x} 0 {y} 0 {z}\" Origin=\"0 0 0\" Spacing=\"1 1 1\">\n    \
         <Piece Extent=\"0 {x} 0 {y} 0 {z}\">\n      \
         <PointData Scalars=\"phi\" Vectors=\"velocity\">\n{arrays}      \
         </PointData>\n    </Piece>\n  </ImageData>\n  <AppendedData encoding=\"raw\">\n_"
    )
}

const TAIL: &str = "\n  </AppendedData>\n</VTKFile>\n";

#[cfg(test)]
mod tests {
    use super::*;

    /// What stands between two texts.
    fn between<'a>(text: &'a str, before: &str, after: &str) -> &'a str {
        let rest = &text[text.find(before).unwrap_or_else(|| panic!("no {before}")) + before.len()..];
        &rest[..rest.find(after).expect("an end")]
    }

    /// Reads the file as its own head describes it, as a viewer does.
    #[test]
    fn a_reader_finds_every_value_where_the_head_says() {
        let folder = cushmem_scratch::Folder::new("lbm").expect("a folder");
        let file = folder.join("fields.vti");
        let extent = [5, 3, 4];
        let value = |value: u32, cell: u32| (1000 * value + cell) as f32 + 0.5;
        let mut image = Image::create(&file, extent).expect("a file");
        for (plane, v) in (0..extent[2]).flat_map(|plane| (0..VALUES).map(move |v| (plane, v))) {
            let sheet: Vec<f32> = (0..15).map(|cell| value(v, 15 * plane + cell)).collect();
            image.take(&sheet).expect("room");
        }
        image.finish().expect("room");
        let bytes = std::fs::read(&file).expect("the file");

        let start = bytes.windows(2).position(|w| w == b"\n_").expect("the mark before the data") + 2;
        let head = std::str::from_utf8(&bytes[..start]).expect("text");
        assert_eq!(between(head, "WholeExtent=\"", "\""), "0 4 0 2 0 3");
        assert_eq!(between(head, "header_type=\"", "\""), "UInt64");
        let mut end = start;
        for (name, first, parts) in [("phi", 0, 1), ("pressure", 1, 1), ("velocity", 2, 3)] {
            let array = between(head, &format!("Name=\"{name}\""), "/>");
            assert_eq!(between(array, "NumberOfComponents=\"", "\""), parts.to_string());
            let at = start + between(array, "offset=\"", "\"").parse::<usize>().expect("a number");
            let length = u64::from_le_bytes(bytes[at..at + 8].try_into().expect("8 bytes")) as usize;
            assert_eq!(length, 60 * 4 * parts as usize);
            end = at + 8 + length;
            for (i, number) in (0u32..).zip(bytes[at + 8..end].chunks_exact(4)) {
                let got = f32::from_le_bytes(number.try_into().expect("4 bytes"));
                assert_eq!(got, value(first + i % parts, i / parts), "{name} {i}");
            }
        }
        assert_eq!(&bytes[end..], TAIL.as_bytes());
    }
}
