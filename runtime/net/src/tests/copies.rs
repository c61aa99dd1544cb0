use super::*;
use crate::copy::{last_piece, piece_of, width_at};
use proptest::prelude::*;
use std::sync::atomic::AtomicBool;

/// The offsets and sizes of the words of a range.
fn words(address: usize, bytes: usize) -> Vec<(usize, usize)> {
    let mut words = Vec::new();
    let mut at = address;
    while at < address + bytes {
        let width = width_at(at, address + bytes - at);
        words.push((at, width));
        at += width;
    }
    assert_eq!(at, address + bytes);
    words
}

#[test]
fn aligned_words_lie_in_one_word_of_the_cut() {
    for (address, bytes) in (64..80).flat_map(|address| (0..40).map(move |bytes| (address, bytes))) {
        let cut = words(address, bytes);
        assert!(cut.iter().all(|(at, width)| matches!(width, 1 | 2 | 4 | 8) && at.is_multiple_of(*width)));
        for width in [1, 2, 4, 8] {
            for at in (address..).take_while(|at| at + width <= address + bytes).filter(|at| at.is_multiple_of(width)) {
                let is_whole = cut.iter().any(|(start, size)| *start <= at && at + width <= start + size);
                assert!(is_whole, "{width} bytes at {at} of {bytes} at {address}: {cut:?}");
            }
        }
    }
}

proptest! {
    #[test]
    fn pieces_make_up_the_range(address in 0_usize..200, bytes in 1_usize..1_000_000) {
        let piece = piece_of(bytes);
        prop_assert!(piece.is_multiple_of(64) && piece <= 64 * 1024);
        let mut left = bytes;
        while left > 0 {
            let start = last_piece(address, left, piece);
            prop_assert!(start < left && left - start <= piece);
            prop_assert!(start == 0 || (address + start).is_multiple_of(64));
            left = start;
        }
        prop_assert_eq!(last_piece(address, bytes, piece) > 0, bytes > 4096);
    }

    #[test]
    fn bytes_arrive_and_come_back(
        profile in 0_usize..3, at in 0_usize..70, skew in 0_usize..9, bytes in prop_oneof![0_usize..80, 0_usize..300_000],
    ) {
        let rig = Rig::new(&Profile::ALL[profile].to_string(), 1, 300_100);
        let source: Vec<u8> = (0..bytes + skew).map(|i| (i * 7 % 251 + 1) as u8).collect();
        let mut back = vec![0; bytes + skew + 1];
        rig.run(delivered(put(1, at, &source[skew..])));
        rig.run(get(1, at, &mut back[skew..skew + bytes]));
        if Profile::ALL[profile] != Profile::Efa || rig.peers[0].load(0) != 0 {
            prop_assert_eq!(&back[skew..skew + bytes], &source[skew..]);
        }
        prop_assert_eq!(back[skew + bytes], 0);
        let target: Vec<u8> = (0..300_100).map(|i| rig.peers[0].byte(i)).collect();
        prop_assert_eq!(&target[at..at + bytes], &source[skew..]);
        prop_assert!(target[..at].iter().chain(&target[at + bytes..]).all(|byte| *byte == 0));
    }
}

/// Reads flags, and data next to them, while both change. A bytewise copy fails here almost at once.
#[test]
fn words_are_never_torn() {
    const BYTES: usize = 3000;
    for profile in Profile::ALL.into_iter().filter(|profile| profile.whole_words()) {
        let rig = Rig::new(&profile.to_string(), 1, BYTES + 8);
        let sources = [[0x11_u8; BYTES], [0xee; BYTES]];
        let stop = AtomicBool::new(false);
        let peer = &rig.peers[0];
        let words: Vec<&AtomicU64> = (8..BYTES).step_by(8).map(|at| peer.word(at)).collect();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !stop.load(Ordering::SeqCst) {
                    for word in &words {
                        let seen = word.load(Ordering::Relaxed);
                        assert!(matches!(seen, 0 | 0x1111_1111_1111_1111 | 0xeeee_eeee_eeee_eeee), "{seen:#x}");
                    }
                }
            });
            let mut back = [0; BYTES];
            for round in 0..3000 {
                // An odd offset, so that shorter words surround those of 8 bytes.
                rig.run(delivered(put(1, 1, &sources[round % 2])));
                rig.run(get(1, 0, &mut back));
            }
            stop.store(true, Ordering::SeqCst);
        });
    }
}

/// Puts from memory that changes. The C library's copy of more than 2 KiB fails here, because it copies byte by byte
/// between some addresses.
#[test]
fn words_of_a_source_are_never_torn() {
    const BYTES: usize = 3000;
    const PAGE: usize = 4096;
    for profile in Profile::ALL.into_iter().filter(|profile| profile.whole_words()) {
        let rig = Rig::new(&profile.to_string(), 1, BYTES);
        let (peer, stop) = (&rig.peers[0], AtomicBool::new(false));
        let source: Vec<AtomicU64> = (0..(PAGE + BYTES) / 8).map(|_| AtomicU64::new(0)).collect();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !stop.load(Ordering::SeqCst) {
                    for value in [0x1111_1111_1111_1111, u64::MAX] {
                        source.iter().for_each(|word| word.store(value, Ordering::Relaxed));
                    }
                }
            });
            for round in 0..3000 {
                let from = source[round % (PAGE / 8)..].as_ptr().expose_provenance();
                let bytes = [8, 40, BYTES, BYTES][round % 4];
                rig.run(work(1, 0, Operation::Put { from, bytes, ordered: false }));
                rig.run(delivered(put(1, 0, &[])));
                let seen = (0..bytes / 8).map(|at| peer.load(8 * at));
                let torn: Vec<u64> =
                    seen.filter(|word| !matches!(*word, 0 | 0x1111_1111_1111_1111 | u64::MAX)).collect();
                if !torn.is_empty() {
                    stop.store(true, Ordering::SeqCst);
                    panic!("{profile}, {bytes} bytes: {torn:x?}");
                }
            }
            stop.store(true, Ordering::SeqCst);
        });
    }
}
