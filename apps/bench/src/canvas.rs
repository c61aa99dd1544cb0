//! A picture to draw lines and text on.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::Path;

/// Red, green, blue.
pub type Colour = [u8; 3];

/// Pixels of a letter, each way.
pub const LETTER: i32 = 8;

/// An RGB image, white at first.
pub struct Canvas {
    width: i32,
    height: i32,
    pixels: Vec<u8>,
}

impl Canvas {
    pub fn new(width: i32, height: i32) -> Self {
        Self { width, height, pixels: vec![255; (width * height * 3) as usize] }
    }

    /// Colours one pixel; those outside are ignored.
    pub fn dot(&mut self, x: i32, y: i32, colour: Colour) {
        if (0..self.width).contains(&x) && (0..self.height).contains(&y) {
            let at = ((y * self.width + x) * 3) as usize;
            self.pixels[at..at + 3].copy_from_slice(&colour);
        }
    }

    /// A line, `thick` pixels wide.
    pub fn line(&mut self, from: (i32, i32), to: (i32, i32), thick: i32, colour: Colour) {
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let steps = dx.abs().max(dy.abs()).max(1);
        for step in 0..=steps {
            let (x, y) = (from.0 + dx * step / steps, from.1 + dy * step / steps);
            for i in 0..thick * thick {
                self.dot(x + i % thick - thick / 2, y + i / thick - thick / 2, colour);
            }
        }
    }

    /// Text with its upper left corner at the place.
    pub fn text(&mut self, x: i32, y: i32, text: &str, colour: Colour) {
        for (i, c) in text.chars().enumerate() {
            let Some(rows) = font8x8::legacy::BASIC_LEGACY.get(c as usize) else { continue };
            for (dy, row) in rows.iter().enumerate() {
                for dx in (0..LETTER).filter(|dx| row >> dx & 1 == 1) {
                    self.dot(x + i as i32 * LETTER + dx, y + dy as i32, colour);
                }
            }
        }
    }

    pub fn write(&self, path: &Path) -> io::Result<()> {
        let mut encoder = png::Encoder::new(BufWriter::new(File::create(path)?), self.width as u32, self.height as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&self.pixels)?;
        Ok(writer.finish()?)
    }
}
