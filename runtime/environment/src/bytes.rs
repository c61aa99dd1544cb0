//! Sizes in the form in which users write them.

use std::ops::RangeInclusive;

/// The sizes that a symmetric heap may have. The lower bound leaves room for the library's own words; above the upper
/// bound, no address space could hold a job.
pub const HEAP_BYTES: RangeInclusive<u64> = (1 << 20)..=(1 << 42);

/// Parses a size as OpenSHMEM writes it (1.6, section 8): `1.5G`, `512m`, `1048576`. What follows the multiplier is
/// ignored, as specified: see [`after_multiplier`].
pub fn parse_bytes(text: &str) -> Option<u64> {
    let (number, rest) = split(text.trim())?;
    let shift = match rest.chars().next().map(|multiplier| multiplier.to_ascii_uppercase()) {
        Some('K') => 10,
        Some('M') => 20,
        Some('G') => 30,
        Some('T') => 40,
        Some(_) => return None,
        None => 0,
    };
    let value: f64 = number.parse().ok()?;
    let bytes = (value * (1u64 << shift) as f64).ceil();
    (bytes.is_finite() && bytes <= 2f64.powi(60)).then_some(bytes as u64)
}

/// What follows the multiplier of a size, which is ignored.
pub fn after_multiplier(text: &str) -> Option<&str> {
    let (_, rest) = split(text.trim())?;
    rest.get(1..).filter(|ignored| !ignored.is_empty())
}

/// Parses the size of a heap. The heap "must be at least as large" as the value (1.6, section 8), so a small value
/// stands for the smallest heap. The error says what is wrong with the text.
pub fn parse_heap_bytes(text: &str) -> Result<u64, String> {
    match parse_bytes(text) {
        Some(bytes) if bytes <= *HEAP_BYTES.end() => Ok(bytes.max(*HEAP_BYTES.start())),
        Some(bytes) => Err(format!("{bytes} bytes are more than 4T")),
        None => Err(format!(
            "`{}` is not a size: give a number, with or without a fraction, and K, M, G or T (powers of 1024)",
            text.escape_debug()
        )),
    }
}

/// A number, which may have a fraction and an exponent, and what follows it.
fn split(text: &str) -> Option<(&str, &str)> {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let mut end = digits(text);
    if text[end..].starts_with('.') {
        end += 1 + digits(&text[end + 1..]);
    }
    if text[end..].starts_with(['e', 'E']) {
        let sign = usize::from(text[end + 1..].starts_with(['+', '-']));
        let exponent = digits(&text[end + 1 + sign..]);
        if exponent > 0 {
            end += 1 + sign + exponent;
        }
    }
    (end > 0).then(|| (&text[..end], text[end..].trim_start()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_with_suffix_and_fraction() {
        for (text, bytes) in [
            ("1048576", 1 << 20),
            ("1m", 1 << 20),
            ("1.5G", 3 << 29),
            (".5K", 512),
            (" 2T ", 2 << 40),
            ("0.1", 1),
            ("1 k", 1024),
            ("1e3", 1000),
            ("0", 0),
        ] {
            assert_eq!((parse_bytes(text), after_multiplier(text)), (Some(bytes), None), "{text}");
        }
    }

    /// "Only one multiplier is recognized and any characters following the multiplier are ignored."
    #[test]
    fn what_follows_the_multiplier_is_ignored() {
        for (text, bytes, ignored) in [
            ("64MB", 64 << 20, "B"),
            ("64MiB", 64 << 20, "iB"),
            ("20kk", 20 << 10, "k"),
            ("1G, please", 1 << 30, ", please"),
        ] {
            assert_eq!((parse_bytes(text), after_multiplier(text)), (Some(bytes), Some(ignored)), "{text}");
        }
    }

    #[test]
    fn nonsense_is_not_a_size() {
        for text in ["", ".", "K", "-1M", "inf", "nan", "1e300", "0x10", "+1", "1 2", "1e", "\u{e9}"] {
            assert_eq!(parse_bytes(text), None, "{text}");
        }
    }

    #[test]
    fn heaps_have_bounds() {
        for small in ["1M", "1023K", "1", "0"] {
            assert_eq!(parse_heap_bytes(small), Ok(1 << 20), "{small}");
        }
        assert_eq!(parse_heap_bytes("4T"), Ok(1 << 42));
        assert!(parse_heap_bytes("4.1T").is_err_and(|e| e.contains("bytes are more than 4T")));
        assert!(parse_heap_bytes("much").is_err_and(|e| e.contains("`much` is not a size")));
        assert!(parse_heap_bytes("\u{1b}[2J").is_err_and(|e| e.contains("`\\u{1b}[2J` is not a size")));
    }
}
