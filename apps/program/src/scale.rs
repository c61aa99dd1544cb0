//! Colours for values, and the bar that explains them.

use cushmem_plot::{BLACK, Colour, Image, LETTER, text_width};

/// Viridis from dark to bright, at equal distances.
pub const COLOURS: [Colour; 9] = [
    [68, 1, 84],
    [71, 44, 122],
    [59, 81, 139],
    [44, 113, 142],
    [33, 144, 141],
    [39, 173, 129],
    [92, 200, 99],
    [170, 220, 50],
    [253, 231, 37],
];

/// The height of the scale with its numbers and its name.
pub const SCALE_HEIGHT: u32 = 70;
/// The gap above the scale.
const GAP: u32 = 10;
/// The height of the bar of colours.
const BAR: u32 = 16;

/// The colour at `place`, from 0 to 1.
pub fn shade(place: f64) -> Colour {
    let position = place.clamp(0.0, 1.0) * (COLOURS.len() - 1) as f64;
    let below = (position as usize).min(COLOURS.len() - 2);
    let part = position - below as f64;
    std::array::from_fn(|i| {
        let (a, b) = (f64::from(COLOURS[below][i]), f64::from(COLOURS[below + 1][i]));
        (a + (b - a) * part).round() as u8
    })
}

/// Draws all colours as a bar across the image, starting at row `below`, with the values at its ends and quarters and
/// their name.
pub fn draw_scale(image: &mut Image, below: u32, values: [f64; 5], name: &str) {
    let (last, top) = (image.width() - 1, below + GAP);
    for col in 0..=last {
        (top..top + BAR).for_each(|row| image.set(row, col, shade(f64::from(col) / f64::from(last))));
    }
    for (quarter, value) in (0..).zip(values) {
        // Large values have enough digits before the point.
        let digits = if value.abs() < 1000.0 { 3 } else { 0 };
        let (label, col) = (format!("{value:.digits$}"), last * quarter / 4);
        let length = text_width(&label);
        let row = top + BAR;
        (row..row + 4).for_each(|row| image.set(row, col, BLACK));
        image.text(row + 6, col.saturating_sub(length / 2).min(image.width().saturating_sub(length)), &label, BLACK);
    }
    let middle = image.width().saturating_sub(text_width(name)) / 2;
    image.text(below + SCALE_HEIGHT - LETTER.1, middle, name, BLACK);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_go_from_dark_to_bright() {
        assert_eq!([0.0, 0.5, 1.0].map(shade), [COLOURS[0], COLOURS[4], COLOURS[8]]);
        assert_eq!([-1.0, 2.0].map(shade), [COLOURS[0], COLOURS[8]]);
        assert_eq!(shade(1.0 / 16.0), [70, 23, 103], "half way between the first two");
    }

    #[test]
    fn the_scale_goes_from_the_lowest_colour_to_the_highest_and_has_numbers() {
        let mut image = Image::new(320, 10 + SCALE_HEIGHT);
        draw_scale(&mut image, 10, [0.0, 0.25, 0.5, 0.75, 1.0], "some value");
        let bar = 10 + GAP + BAR / 2;
        assert_eq!((image.at(bar, 0), image.at(bar, 319)), (COLOURS[0], COLOURS[8]));
        let numbers = (10 + GAP + BAR + 6..10 + SCALE_HEIGHT).flat_map(|row| (0..320).map(move |col| (row, col)));
        let ink = numbers.filter(|&(row, col)| image.at(row, col) == BLACK).count();
        assert!(ink > 5 * 3 * 20, "five numbers and the name: {ink}");
    }
}
