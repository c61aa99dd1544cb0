//! Which GPU this PE will have, for the choice of the NIC. The network starts before any GPU is opened, and CUDA is not
//! asked, because that takes long. So it is what CUDA is expected to say: the GPU at this PE's place among those that
//! the system lists and the user lets it see. If a program chooses another one, its NIC may not be the nearest.

/// The GPU for this place among the PEs of the machine, of those that the system lists in order. `visible` is
/// `CUDA_VISIBLE_DEVICES`.
pub(super) fn at(all: &[String], visible: Option<&str>, place: u32) -> Option<String> {
    let seen: Vec<&String> = match visible {
        None => all.iter().collect(),
        // CUDA stops at the first that is not there. Names other than numbers are known to CUDA alone.
        Some(list) => list.split(',').map_while(|word| all.get(word.trim().parse::<usize>().ok()?)).collect(),
    };
    // Of none, there is no remainder.
    let at = (place as usize).checked_rem(seen.len())?;
    Some(seen[at].clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gpu_is_the_one_at_the_place_among_those_that_are_visible() {
        let all = ["a", "b", "c"].map(str::to_owned);
        for (visible, place, expected) in [
            (None, 0, Some("a")),
            (None, 2, Some("c")),
            (None, 3, Some("a")),
            (Some("2, 0"), 0, Some("c")),
            (Some("2, 0"), 1, Some("a")),
            (Some("2, 0"), 2, Some("c")),
            (Some("1,9,0"), 1, Some("b")),
            (Some(""), 0, None),
            (Some("GPU-1234"), 0, None),
            (Some("-1"), 0, None),
        ] {
            assert_eq!(at(&all, visible, place).as_deref(), expected, "{visible:?} {place}");
        }
        assert_eq!(at(&[], None, 0), None);
    }
}
