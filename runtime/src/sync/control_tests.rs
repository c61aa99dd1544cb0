//! Tests of the layout of the control areas.

use super::*;

impl Control {
    /// The words of PE 0, which shares no memory with PE 1.
    pub(crate) fn alone() -> Self {
        let layout = Layout::of(2, 2, TEAM_SLOTS);
        let bytes = NonZeroUsize::new(layout.bytes(1)).unwrap();
        let file = shared_file(c"cushmem-control", bytes.get() as u64).unwrap();
        let mapping = Mapping::of(&file, 0, bytes).unwrap();
        let start = mapping.address() + layout.areas;
        Self { mapping: Arc::new(mapping), file: Arc::new(file), areas: [start, 0].into(), layout, own: Pe::member(0) }
    }
}

/// Catches words that overlap or lie outside of an area, and requests for which each PE of a node has room, though
/// only the node's first PE gets any.
#[test]
fn all_words_have_their_own_bytes() {
    let jobs = [(1, 1), (1, 3), (2, 2), (2, 3), (512, 4096), (8192, 65_536)];
    let jobs = jobs.into_iter().flat_map(|job| [64, 65, 1024].map(|slots| (job, slots)));
    for ((nodes, pes), slots) in jobs {
        let layout = Layout::of(nodes, pes, slots);
        let last = Pe::member(pes as u32 - 1);
        let (far_nodes, far_pes) = if nodes == 1 { (0, 0) } else { (nodes, pes) };
        let disjoint = |mut parts: Vec<(usize, usize)>, end: usize| {
            parts.sort_unstable();
            parts.push((end, 0));
            assert!(parts.is_sorted_by(|a, b| a.0 + a.1 <= b.0), "{parts:?} with {pes} PEs on {nodes} nodes");
            assert!(parts.iter().all(|(at, _)| at.is_multiple_of(8)), "{parts:?}");
        };
        let (line, word) = (size_of::<PairLine>(), size_of::<AtomicU64>());
        let in_area = vec![
            (0, size_of::<ControlArea>()),
            (size_of::<ControlArea>(), (slots - TEAM_SLOTS) * size_of::<MeetingWords>()),
            (layout.far_pairs, far_pes * line),
            (layout.done, far_pes * size_of::<SealedWord>()),
            (layout.answers, far_nodes * ANSWER_BYTES),
            (layout.pairs, pes * line),
            (layout.teams, 2 * slots * size_of::<TeamArea>()),
            (layout.replicas, far_nodes * 2 * slots * size_of::<Replica>()),
        ];
        let last_word = ControlArea::meeting_word(slots - 1, 1, MEETING_STEPS - 1) + word;
        assert!(last_word <= layout.far_pairs);
        disjoint(in_area, layout.area);
        let in_file = vec![
            (0, far_pes * word),
            (layout.turns, far_pes * word),
            (layout.requests, far_pes * REQUEST_BYTES),
            (layout.areas, pes * layout.area),
        ];
        disjoint(in_file, layout.bytes(pes));
        assert!(layout.area.is_multiple_of(4096) && layout.areas.is_multiple_of(4096));
        assert!([layout.far_pairs, layout.answers, layout.pairs, layout.replicas].iter().all(|at| at % 64 == 0));
        if nodes > 1 {
            assert_eq!(known(last) + word, layout.turns);
            assert_eq!(layout.request(last, REQUESTS - 1) + REQUEST_STRIDE, layout.areas);
            assert!(layout.turn(last) < layout.requests && layout.carried_out(last) < layout.answers);
            assert_eq!(layout.answer(nodes as u32 - 1, REQUESTS - 1) + ANSWER_STRIDE, layout.pairs);
        }
    }
}

/// Catches replicas of slots without a team, or the words of teams on its node, that a PE registers at the start, and
/// anything by node or PE that has grown.
#[test]
fn what_a_pe_registers() {
    const KIB: usize = 1024;
    for (nodes, pes) in [(2, 16), (8, 64), (512, 4096)] {
        let layout = Layout::of(nodes, pes, TEAM_SLOTS);
        let (_, replicas) = layout.replicas_of(WORLD_SLOT);
        let (_, of_a_team) = layout.replicas_of(SHARED_SLOT + 1);
        let bytes = [layout.pairs, layout.areas, replicas, of_a_team];
        let most = [
            36 * KIB + nodes * 8 * KIB + pes * 80,
            4 * KIB + pes * (16 * KIB + 16),
            nodes * 100 * KIB,
            nodes * 66 * KIB,
        ];
        let fits = bytes.iter().zip(most).all(|(bytes, most)| *bytes <= most);
        assert!(fits, "words, requests, replicas at the start and of a team of {pes} PEs on {nodes} nodes: {bytes:?}");
    }
}
