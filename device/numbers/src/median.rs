/// Sorts the values and returns their median, which is the mean of the middle two of an even number; `None` if there
/// are none.
pub fn median(values: &mut [f64]) -> Option<f64> {
    values.sort_unstable_by(f64::total_cmp);
    quantile(values, 0.5)
}

/// The value below which this part of the values lies, from 0 (the least) to 1 (the largest), by linear interpolation
/// between two neighbours; `None` if there are no values. They are in ascending order.
pub fn quantile(ascending: &[f64], part: f64) -> Option<f64> {
    let place = ascending.len().checked_sub(1)? as f64 * part;
    let (below, beyond) = (place as usize, place % 1.0);
    let low = *ascending.get(below)?;
    // Not past the end, and nothing times infinity.
    if beyond == 0.0 { Some(low) } else { Some(low + (ascending[below + 1] - low) * beyond) }
}

/// Sorts values by a key and returns the one in the middle, which is the upper one of an even number; `None` if there
/// are none.
pub fn middle_by<T>(values: &mut [T], key: impl Fn(&T) -> f64) -> Option<&T> {
    values.sort_unstable_by(|a, b| key(a).total_cmp(&key(b)));
    values.get(values.len() / 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle_or_between_the_middle_two() {
        assert_eq!(median(&mut [1.0, 900.0, 2.0]), Some(2.0));
        assert_eq!(median(&mut [4.0, 1.0, 900.0, 2.0]), Some(3.0));
        assert_eq!(median(&mut [7.0]), Some(7.0));
        assert_eq!(median(&mut []), None);
        assert_eq!(median(&mut [f64::INFINITY, 1.0, f64::INFINITY]), Some(f64::INFINITY));
    }

    #[test]
    fn quantiles_run_from_the_least_to_the_largest() {
        let values = [10.0, 20.0, 40.0];
        let found = [0.0, 0.25, 0.5, 0.75, 1.0].map(|part| quantile(&values, part));
        assert_eq!(found, [10.0, 15.0, 20.0, 30.0, 40.0].map(Some));
        assert_eq!(quantile(&[], 1.0), None);
        assert_eq!(quantile(&values, 1.5), None);
    }

    #[test]
    fn the_middle_is_found_by_its_key() {
        let mut passes = [("slow", 9.0), ("usual", 1.5), ("fast", 1.0)];
        assert_eq!(middle_by(&mut passes, |pass| pass.1), Some(&("usual", 1.5)));
        assert_eq!(middle_by(&mut passes[..2], |pass| pass.1), Some(&("usual", 1.5)));
        assert_eq!(middle_by(&mut [0.0; 0], |value| *value), None);
    }
}
