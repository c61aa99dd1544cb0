//! What plotters draws on: pixels in memory, text in a bitmap font that is part of the program, and a PNG at the end.
//!
//! The back ends that come with plotters need the system's fonts or a font file, and a second crate for images.

use font8x8::legacy::{BASIC_LEGACY, LATIN_LEGACY};
use plotters_backend::text_anchor::{HPos, VPos};
use plotters_backend::{BackendColor, BackendCoord, BackendTextStyle, DrawingBackend, DrawingErrorKind};
use std::convert::Infallible;
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::Path;

/// Width and height of a letter in pixels. The font has half as many rows; each is drawn twice, which gives the proportions of print.
const LETTER: (i32, i32) = (8, 16);

/// An RGB image.
pub struct Canvas {
    width: u32,
    height: u32,
    pixels: Vec<u8>,
}

impl Canvas {
    /// A white image.
    pub fn new(width: u32, height: u32) -> Self {
        Self { width, height, pixels: vec![255; (width * height * 3) as usize] }
    }

    pub fn write(&self, path: &Path) -> io::Result<()> {
        let mut encoder = png::Encoder::new(BufWriter::new(File::create(path)?), self.width, self.height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&self.pixels)?;
        Ok(writer.finish()?)
    }

    fn blend(&mut self, (x, y): BackendCoord, color: BackendColor) {
        let (Ok(x), Ok(y)) = (u32::try_from(x), u32::try_from(y)) else { return };
        if x < self.width && y < self.height {
            let at = ((y * self.width + x) * 3) as usize;
            let (red, green, blue) = color.rgb;
            for (pixel, part) in self.pixels[at..at + 3].iter_mut().zip([red, green, blue]) {
                *pixel = (f64::from(*pixel) * (1.0 - color.alpha) + f64::from(part) * color.alpha).round() as u8;
            }
        }
    }
}

/// The rows of a letter, from the top; the least bit is on the left.
fn glyph(letter: char) -> Option<&'static [u8; 8]> {
    let code = letter as usize;
    BASIC_LEGACY.get(code).or_else(|| LATIN_LEGACY.get(code.checked_sub(0xA0)?))
}

fn text_width(text: &str) -> i32 {
    text.chars().count() as i32 * LETTER.0
}

impl DrawingBackend for &mut Canvas {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        (self.width, self.height)
    }

    fn ensure_prepared(&mut self) -> Result<(), DrawingErrorKind<Infallible>> {
        Ok(())
    }

    fn present(&mut self) -> Result<(), DrawingErrorKind<Infallible>> {
        Ok(())
    }

    fn draw_pixel(&mut self, point: BackendCoord, color: BackendColor) -> Result<(), DrawingErrorKind<Infallible>> {
        self.blend(point, color);
        Ok(())
    }

    fn estimate_text_size<S: BackendTextStyle>(
        &self,
        text: &str,
        _: &S,
    ) -> Result<(u32, u32), DrawingErrorKind<Infallible>> {
        Ok((text_width(text) as u32, LETTER.1 as u32))
    }

    fn draw_text<S: BackendTextStyle>(
        &mut self,
        text: &str,
        style: &S,
        place: BackendCoord,
    ) -> Result<(), DrawingErrorKind<Infallible>> {
        let left = match style.anchor().h_pos {
            HPos::Left => 0,
            HPos::Center => -text_width(text) / 2,
            HPos::Right => -text_width(text),
        };
        let top = match style.anchor().v_pos {
            VPos::Top => 0,
            VPos::Center => -LETTER.1 / 2,
            VPos::Bottom => -LETTER.1,
        };
        for (i, c) in (0..).zip(text.chars()) {
            // The font has Latin-1; other letters leave a gap.
            let Some(rows) = glyph(c) else { continue };
            for (dx, dy) in (0..LETTER.0 * LETTER.1).map(|at| (at % LETTER.0, at / LETTER.0)) {
                if rows[dy as usize / 2] >> dx & 1 == 1 {
                    let (x, y) = style.transform().transform(left + i * LETTER.0 + dx, top + dy);
                    self.blend((place.0 + x, place.1 + y), style.color());
                }
            }
        }
        Ok(())
    }
}
