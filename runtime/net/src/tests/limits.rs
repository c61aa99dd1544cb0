use super::*;

#[test]
fn a_full_ring_says_again_and_goes_on() {
    for profile in Profile::ALL {
        let rig = Rig::new(&profile.to_string(), 1, 1 << 16);
        rig.hold(Step::Piece);
        for at in 0..MOST_UNDER_WAY {
            assert_eq!(post(&rig.lane, delivered(inline(1, at as usize * 8, &(at + 1)))), at + 1);
        }
        // SAFETY: the value outlives the post.
        let again = unsafe { rig.lane.post(inline(1, 0, &999)) };
        assert_eq!((again, rig.lane.posted()), (Posted::Again, MOST_UNDER_WAY));
        rig.release(Step::Piece);
        rig.wait(MOST_UNDER_WAY);
        rig.run(amo(1, 1 << 15, WordOp::Fetch, 0, &mut 0));
        until("all arrive", || (0..MOST_UNDER_WAY).all(|at| rig.peers[0].load(at as usize * 8) == at + 1));
        (0..3 * MOST_UNDER_WAY).for_each(|_| rig.run(inline(1, 0, &5)));
    }
}

#[test]
fn several_threads_post_on_one_lane() {
    const EACH: usize = 5000;
    let rig = Rig::new("tcp", 1, 4096);
    std::thread::scope(|scope| {
        for thread in 0..3 {
            let lane = &rig.lane;
            scope.spawn(move || {
                for value in 1..=EACH {
                    // SAFETY: the value outlives the post.
                    until("a free slot", || unsafe {
                        lane.post(delivered(inline(1, thread * 64, &(value as u64)))) != Posted::Again
                    });
                }
            });
        }
    });
    assert_eq!(rig.lane.posted(), 3 * EACH as u64);
    rig.wait(rig.lane.posted());
    assert!((0..3).all(|thread| rig.peers[0].load(thread * 64) == EACH as u64));
}

/// Returns the failure of one operation. The lane completes tickets after it too.
fn failure(rig: &Rig, work: Work) -> String {
    let lane = rig.nic.lane();
    let ticket = post(&lane, work);
    until("a failure", || lane.done() >= ticket);
    let failure = lane.failure().expect("a failure");
    let next = post(&lane, inline(1, 0, &7));
    until("the next", || lane.done() >= next);
    assert_eq!(lane.failure(), Some(failure), "the first one stays");
    failure.to_string()
}

#[test]
fn ranges_outside_fail_with_all_that_is_known() {
    for profile in Profile::ALL {
        let rig = Rig::new(&profile.to_string(), 1, 4096);
        let source = [1; 16];
        let outside =
            |at: &str| format!("16 bytes: 16 bytes at offset {at} of region 5 are outside of the valid range 0..4096");
        assert_eq!(failure(&rig, put(1, 4081, &source)), format!("peer 1: put of {}", outside("4081")));
        let far = Work { at: u64::MAX - 3, ..put(1, 0, &source) };
        assert_eq!(failure(&rig, far), format!("peer 1: put of {}", outside("18446744073709551612")));
        let far = get(1, 1 << 40, &mut [0; 16]);
        assert_eq!(failure(&rig, far), format!("peer 1: get of {}", outside("1099511627776")));
        assert!(failure(&rig, amo(1, 4092, WordOp::Add, 1, &mut 0)).contains("8 bytes at offset 4092"));
        assert!(failure(&rig, amo(1, 4, WordOp::Add, 1, &mut 0)).contains("it needs an aligned word"));
        assert_eq!(failure(&rig, put(3, 0, &source)), "peer 3: put of 16 bytes: region 5 is not registered");
        let inline =
            work(1, 0, Operation::Inline { from: [0_u8; 65].as_ptr().expose_provenance(), bytes: 65, ordered: false });
        assert_eq!(failure(&rig, inline), "peer 1: put of 65 bytes: at most 64 bytes can be sent inline");
        let empty = [0_u8; 0];
        rig.run(put(1, 4096, &empty));
    }
}

#[test]
fn a_file_that_is_too_short_is_a_failure_too() {
    let rig = Rig::new("verbs", 1, 4096);
    learn(&rig.nic, 2, &Memory { bytes: 8192, ..rig.peers[0].memory.clone() }.card());
    let expected =
        "peer 2: put of 8 bytes: map the 8192 bytes of region 5: its file has 4096 bytes and would need 8192";
    assert_eq!(failure(&rig, inline(2, 0, &1)), expected);
}

#[test]
fn nothing_is_mapped_before_its_first_use_nor_dumped_after() {
    let name = "cushmem-first-use";
    let rig = Rig::new("verbs", 0, 0);
    let file = memfd_create(name, MFdFlags::MFD_CLOEXEC).expect("make a file in memory");
    nix::unistd::ftruncate(&file, 3 << 12).expect("size it");
    // Neither starts nor ends at a page boundary.
    learn(&rig.nic, 1, &Memory { file: Arc::new(file), offset: (1 << 12) + 24, bytes: 1 << 12 }.card());
    let maps = || std::fs::read_to_string("/proc/self/smaps").expect("Linux");
    assert!(!maps().contains(name));
    rig.run(inline(1, 0, &7));
    let maps = maps();
    let of_region = maps.split_once(name).expect("it is mapped").1;
    let flags = of_region.lines().find(|line| line.starts_with("VmFlags:")).expect("flags");
    assert!(flags.split(' ').any(|flag| flag == "dd"), "{flags}");
    let mut back = [0; 8];
    rig.run(get(1, 0, &mut back));
    assert_eq!(u64::from_ne_bytes(back), 7);
}

/// Catches bytes that are copied to or from the wrong place in the other process, or not completely, and a refusal by
/// the system that is not reported.
#[test]
fn memory_of_a_process_is_copied_by_the_system() {
    for profile in ["verbs", "tcp", "efa"] {
        const BYTES: usize = 299_000;
        let rig = Rig::new(profile, 0, 0);
        let theirs = vec![0_u8; BYTES + 10];
        let start = theirs.as_ptr().expose_provenance() + 5;
        let of_this = |start| ProcessMemory { pid: std::process::id() as i32, start, bytes: BYTES as u64 };
        learn(&rig.nic, 1, &of_this(start).card());
        let source: Vec<u8> = (0..BYTES).map(|at| (at ^ at >> 8) as u8).collect();
        rig.run(put(1, 0, &source));
        rig.run(inline(1, 40, &7));
        let mut back = vec![0; BYTES];
        rig.run(get(1, 0, &mut back));
        let mut expected = source.clone();
        expected[40..48].copy_from_slice(&7_u64.to_ne_bytes());
        let wrong = back.iter().zip(&expected).position(|(found, expected)| found != expected);
        assert_eq!(wrong, None, "{profile}: the first byte that is wrong");
        assert!(failure(&rig, amo(1, 3, WordOp::Add, 1, &mut 0)).contains("memory that only the system copies"));
        assert!(failure(&rig, put(1, 1, &source)).contains("are outside of the valid range 0..299000"));
        rig.nic.forget(REGION, 0);
        assert_eq!(failure(&rig, put(1, 0, &source)), "peer 1: put of 299000 bytes: region 5 is not registered");
        learn(&rig.nic, 1, &of_this(64).card());
        for to_nowhere in [put(1, 0, &source), get(1, 0, &mut back)] {
            assert!(failure(&rig, to_nowhere).contains("the system does not copy between the processes"));
        }
    }
}

#[test]
fn a_region_that_is_registered_anew_is_another() {
    let rig = Rig::new("tcp", 2, 4096);
    rig.run(delivered(inline(1, 0, &7)));
    rig.nic.forget(REGION, 0);
    learn(&rig.nic, 1, &rig.peers[1].memory.card());
    rig.run(delivered(inline(1, 8, &8)));
    assert_eq!([&rig.peers[0], &rig.peers[1]].map(|peer| (peer.load(0), peer.load(8))), [(7, 0), (0, 8)]);
}

/// The engine sleeps at every opportunity here, so each post has to wake it.
#[test]
fn a_sleeping_engine_wakes_for_each_post() {
    let rig = Rig::new("tcp", 1, 4096);
    (1..=2000).for_each(|value| rig.run(delivered(inline(1, 0, &value))));
    assert_eq!(rig.peers[0].load(0), 2000);
}

/// The system may copy a word to another process in pieces, so such a word is put and never set.
#[test]
fn a_word_that_only_the_system_copies_is_not_set() {
    for profile in Profile::ALL {
        let rig = Rig::new(&profile.to_string(), 1, 4096);
        let word = Box::leak(Box::new(AtomicU64::new(0)));
        let start = std::ptr::from_ref(word).expose_provenance();
        let memory = ProcessMemory { pid: std::process::id() as i32, start, bytes: 8 };
        rig.nic.learn(1, REGION + 1, 0, &memory.card()).expect("a card");
        rig.run(Work { region: REGION + 1, ..delivered(inline(1, 0, &7)) });
        until("the put", || word.load(Ordering::SeqCst) == 7);
        let ticket = post(&rig.lane, Work { region: REGION + 1, ..set(1, 0, 9) });
        until("the failure", || rig.lane.done() >= ticket);
        let why = &rig.lane.failure().expect("it fails").why;
        assert_eq!(why, "a word cannot be set in memory that only the system copies", "{profile}");
        assert_eq!(word.load(Ordering::SeqCst), 7, "{profile}");
    }
}
