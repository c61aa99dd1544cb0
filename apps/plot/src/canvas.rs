//! The surface on which plotters draws pixels, with text in a bitmap font that is part of the program.
//!
//! The back end for pixels that comes with plotters needs the system's fonts or a font file.

use crate::image::{Image, LETTER, dots, text_width};
use plotters_backend::text_anchor::{HPos, VPos};
use plotters_backend::{BackendColor, BackendCoord, BackendTextStyle, DrawingBackend, DrawingErrorKind};
use std::convert::Infallible;

/// The image.
pub struct Canvas(Image);

impl Canvas {
    /// A white image.
    pub fn new(width: u32, height: u32) -> Self {
        Self(Image::new(width, height))
    }

    pub fn into_image(self) -> Image {
        self.0
    }

    fn blend(&mut self, (x, y): BackendCoord, color: BackendColor) {
        self.0.blend((y, x), color.rgb.into(), color.alpha);
    }
}

impl DrawingBackend for &mut Canvas {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        (self.0.width(), self.0.height())
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
        Ok((text_width(text), LETTER.1))
    }

    fn draw_text<S: BackendTextStyle>(
        &mut self,
        text: &str,
        style: &S,
        place: BackendCoord,
    ) -> Result<(), DrawingErrorKind<Infallible>> {
        let (width, height) = (text_width(text) as i32, LETTER.1 as i32);
        let left = match style.anchor().h_pos {
            HPos::Left => 0,
            HPos::Center => -width / 2,
            HPos::Right => -width,
        };
        let top = match style.anchor().v_pos {
            VPos::Top => 0,
            VPos::Center => -height / 2,
            VPos::Bottom => -height,
        };
        for (down, right) in dots(text) {
            let (x, y) = style.transform().transform(left + right as i32, top + down as i32);
            self.blend((place.0 + x, place.1 + y), style.color());
        }
        Ok(())
    }
}
