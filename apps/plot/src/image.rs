//! An RGB image, with text in a built-in bitmap font.

use font8x8::legacy::{BASIC_LEGACY, LATIN_LEGACY};
use std::io;

/// Red, green and blue.
pub type Colour = [u8; 3];

/// Paper.
pub const WHITE: Colour = [255; 3];
/// Ink.
pub const BLACK: Colour = [0; 3];

/// Width and height of a letter in pixels. The font has half as many rows; each is drawn twice, which gives the
/// proportions of print.
pub const LETTER: (u32, u32) = (8, 16);

/// Pixels, row by row from the top.
pub struct Image {
    width: u32,
    pixels: Vec<Colour>,
}

impl Image {
    /// A white image.
    pub fn new(width: u32, height: u32) -> Self {
        Self { width, pixels: vec![WHITE; width as usize * height as usize] }
    }

    /// Columns.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Rows.
    pub fn height(&self) -> u32 {
        (self.pixels.len() / self.width.max(1) as usize) as u32
    }

    /// The colour of a pixel of the image.
    pub fn at(&self, row: u32, col: u32) -> Colour {
        self.pixels[row as usize * self.width as usize + col as usize]
    }

    /// Colours a pixel. Pixels beyond the edges are ignored.
    pub fn set(&mut self, row: u32, col: u32, colour: Colour) {
        let at = row as usize * self.width as usize + col as usize;
        if let Some(pixel) = self.pixels.get_mut(at).filter(|_| col < self.width) {
            *pixel = colour;
        }
    }

    /// Blends a colour of this opacity, from 0 to 1, over a pixel.
    pub fn blend(&mut self, (row, col): (i32, i32), colour: Colour, opacity: f64) {
        let (Ok(row), Ok(col)) = (u32::try_from(row), u32::try_from(col)) else { return };
        if row < self.height() && col < self.width {
            let below = self.at(row, col);
            let mixed = |i: usize| f64::from(below[i]) * (1.0 - opacity) + f64::from(colour[i]) * opacity;
            self.set(row, col, std::array::from_fn(|i| mixed(i).round() as u8));
        }
    }

    /// Writes text with its upper left corner at this pixel.
    pub fn text(&mut self, row: u32, col: u32, text: &str, colour: Colour) {
        for (down, right) in dots(text) {
            self.set(row + down, col + right, colour);
        }
    }

    /// Writes white text with a dark outline, which can be read on any colour.
    pub fn outlined_text(&mut self, row: u32, col: u32, text: &str) {
        for (down, aside) in [(0, 1), (2, 1), (1, 0), (1, 2)] {
            self.text((row + down).saturating_sub(1), (col + aside).saturating_sub(1), text, BLACK);
        }
        self.text(row, col, text, WHITE);
    }

    /// The content of a PNG file.
    pub fn png(&self) -> io::Result<Vec<u8>> {
        let mut bytes = vec![];
        let mut encoder = png::Encoder::new(&mut bytes, self.width, self.height());
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::High);
        encoder.set_filter(png::Filter::Adaptive);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(self.pixels.as_flattened())?;
        writer.finish()?;
        Ok(bytes)
    }
}

/// The width of a text in pixels.
pub fn text_width(text: &str) -> u32 {
    text.chars().count() as u32 * LETTER.0
}

/// Rows and columns of the dots of a text. The font covers Latin-1; other letters leave a gap.
pub fn dots(text: &str) -> impl Iterator<Item = (u32, u32)> {
    let letters = (0..).step_by(LETTER.0 as usize).zip(text.chars().map(glyph));
    letters.filter_map(|(first, rows)| Some((first, rows?))).flat_map(|(first, rows)| {
        let all = (0..LETTER.1).flat_map(|down| (0..LETTER.0).map(move |right| (down, right)));
        all.filter(|(down, right)| rows[*down as usize / 2] >> right & 1 == 1)
            .map(move |(down, right)| (down, first + right))
    })
}

/// The rows of a letter, from the top. The least significant bit is on the left.
fn glyph(letter: char) -> Option<&'static [u8; 8]> {
    let code = letter as usize;
    BASIC_LEGACY.get(code).or_else(|| LATIN_LEGACY.get(code.checked_sub(0xA0)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_upright_and_others_leave_a_gap() {
        let image = |text: &str| {
            let mut image = Image::new(40, 16);
            image.text(0, 0, text, BLACK);
            image
        };
        let ink = |image: &Image, cols: std::ops::Range<u32>| {
            (0..16)
                .flat_map(|row| cols.clone().map(move |col| (row, col)))
                .filter(|&(r, c)| image.at(r, c) == BLACK)
                .count()
        };
        let bar = image("L");
        assert!((2..12).all(|row| (0..4).any(|col| bar.at(row, col) == BLACK)), "the stem of L is on the left");
        assert!(ink(&bar, 4..8) < ink(&bar, 0..4));
        let gap = image("L…×");
        assert_eq!((ink(&gap, 0..8), ink(&gap, 8..16)), (ink(&bar, 0..8), 0));
        assert!(ink(&gap, 16..24) > 0, "the font has Latin-1");
        assert_eq!(text_width("L…×"), 24);
    }

    #[test]
    fn nothing_is_drawn_beyond_the_edges() {
        let mut image = Image::new(3, 2);
        image.set(0, 3, BLACK);
        image.set(2, 0, BLACK);
        image.blend((-1, 0), BLACK, 1.0);
        image.blend((0, 3), BLACK, 1.0);
        assert!((0..2).all(|row| (0..3).all(|col| image.at(row, col) == WHITE)));
        image.blend((1, 2), BLACK, 0.5);
        assert_eq!((image.at(1, 2), image.width(), image.height()), ([128; 3], 3, 2));
    }

    #[test]
    fn the_file_holds_the_pixels() {
        let mut image = Image::new(2, 1);
        image.set(0, 1, [1, 2, 3]);
        let bytes = image.png().expect("memory can be written");
        let mut reader = png::Decoder::new(io::Cursor::new(bytes)).read_info().expect("a PNG");
        let mut pixels = [0; 6];
        reader.next_frame(&mut pixels).expect("its pixels");
        assert_eq!(pixels, [255, 255, 255, 1, 2, 3]);
    }
}
