//! Sizes in the form in which users write them.

use std::ops::RangeInclusive;

/// The sizes that a symmetric heap may have. The lower bound leaves room for the library's own words; above the upper
/// bound, no address space could hold a job.
pub const HEAP_BYTES: RangeInclusive<u64> = (1 << 20)..=(1 << 42);

/// Parses a size as OpenSHMEM writes it (1.6, section 8): `1.5G`, `512m`, `1048576`.
pub fn parse_bytes(text: &str) -> Option<u64> {
    let text = text.trim();
    let (number, shift) = match text.chars().last()?.to_ascii_uppercase() {
        'K' => (&text[..text.len() - 1], 10),
        'M' => (&text[..text.len() - 1], 20),
        'G' => (&text[..text.len() - 1], 30),
        'T' => (&text[..text.len() - 1], 40),
        _ => (text, 0),
    };
    let value: f64 = number.trim().parse().ok()?;
    let bytes = (value * (1u64 << shift) as f64).ceil();
    (number.starts_with(|c: char| c.is_ascii_digit() || c == '.') && bytes.is_finite() && bytes <= 2f64.powi(60))
        .then_some(bytes as u64)
}

/// Parses the size of a heap. The error says what is wrong with the text.
pub fn parse_heap_bytes(text: &str) -> Result<u64, String> {
    match parse_bytes(text) {
        Some(bytes) if HEAP_BYTES.contains(&bytes) => Ok(bytes),
        Some(bytes) => Err(format!("{bytes} bytes are not in 1M..=4T")),
        None => Err(format!(
            "`{text}` is not a size: give a number, with or without a fraction, and K, M, G or T (powers of 1024)"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_with_suffix_and_fraction() {
        for (text, bytes) in
            [("1048576", 1 << 20), ("1m", 1 << 20), ("1.5G", 3 << 29), (".5K", 512), (" 2T ", 2 << 40), ("0.1", 1)]
        {
            assert_eq!(parse_bytes(text), Some(bytes), "{text}");
        }
    }

    #[test]
    fn nonsense_is_not_a_size() {
        for text in ["", "K", "-1M", "1MB", "inf", "nan", "1e300", "0x10", "+1", "1 2"] {
            assert_eq!(parse_bytes(text), None, "{text}");
        }
    }

    #[test]
    fn heaps_have_bounds() {
        assert_eq!(parse_heap_bytes("1M"), Ok(1 << 20));
        assert_eq!(parse_heap_bytes("4T"), Ok(1 << 42));
        assert!(parse_heap_bytes("1023K").is_err_and(|e| e.contains("1047552 bytes are not in 1M..=4T")));
        assert!(parse_heap_bytes("much").is_err_and(|e| e.contains("`much` is not a size")));
    }
}
