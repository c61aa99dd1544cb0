//! Tests of lanes of the network.

use super::*;
use cushmem_net::{Loopback, Nic, Profile, Provider, Settings};
use std::time::Duration;

const FAR: RemoteAddr = RemoteAddr { pe: Pe::member(1), region: Region::Host, at: 0 };

fn nic(spin: Duration) -> Nic {
    let loopback = Loopback::new(Settings { profile: Profile::Verbs, faults: None }, 0);
    Nic::over(Provider::Loopback(loopback), spin).unwrap()
}

/// Catches a blocking put of few bytes that does not report a failure because it waits for nothing.
#[test]
fn a_blocking_put_of_few_bytes_reports_an_earlier_failure() {
    let nic = nic(Duration::ZERO);
    let wait_policy = WaitPolicy::new(0, false, true, Duration::from_secs(60));
    let lane = NetLane::new(nic.lane(), 0, nic.promises(), wait_policy);
    let source = 7u64;
    let put = || {
        // SAFETY: the address is that of a variable that has enough bytes.
        let ticket = unsafe { lane.put(FAR, (&raw const source).expose_provenance(), size_of_val(&source)) };
        assert_eq!(ticket.unwrap(), None);
        lane.wait_for_source(None)
    };
    lane.wait_for_source(None).unwrap();
    // Nobody has registered the region, so this fails.
    let _ = put();
    assert!(lane.wait(1).is_err());
    let error = put().unwrap_err().to_string();
    let reason = "put of 8 bytes: region 1 is not registered";
    assert_eq!(error, format!("network: host memory of PE 1 cannot be reached from here: {reason}"));
}

/// Catches a word that overtakes what was put before a fence. What was put since then it may overtake.
#[test]
fn a_word_comes_behind_the_last_fence_alone() {
    // Nothing is ever complete.
    let faults = "0,silent=1@0".parse().ok();
    let loopback = Loopback::new(Settings { profile: Profile::Tcp, faults }, 0);
    let nic = Nic::over(Provider::Loopback(loopback), Duration::ZERO).unwrap();
    let wait_policy = WaitPolicy::new(0, false, true, Duration::from_secs(60));
    let lane = NetLane::new(nic.lane(), 0, nic.promises(), wait_policy);
    let is_ordered = || match lane.word_of(8, 7) {
        Operation::Set { ordered, .. } => ordered,
        other => panic!("{other}"),
    };
    assert!(!is_ordered());
    lane.put_inline(FAR, &[7; 8]).unwrap();
    assert!(!is_ordered(), "there was no fence");
    lane.order().unwrap();
    assert!(is_ordered());
    nic.lost(1, "it is silent");
    assert!(lane.wait(1).is_err());
    assert!(!is_ordered(), "there is nothing in front of it");
}

/// Catches a look that finds an operation complete which failed since the look for failures. The moment between the
/// two is short, so there are many attempts.
#[test]
fn an_operation_that_fails_is_never_found_complete() {
    let nic = nic(Duration::from_millis(10));
    let wait_policy = WaitPolicy::new(0, false, true, Duration::from_secs(60));
    for attempt in 0..2000 {
        let lane = NetLane::new(nic.lane(), 0, nic.promises(), wait_policy.clone());
        // Nobody has registered the region, so this fails.
        lane.put_inline(FAR, &[7; 8]).unwrap();
        let found = std::iter::repeat_with(|| lane.is_complete(1)).find(|found| !matches!(found, Ok(false)));
        assert!(matches!(found, Some(Err(_))), "attempt {attempt}: {found:?}");
    }
}

/// Catches a count of what is under way that falls below zero, because another thread's operation was posted and
/// completed between the looks at both numbers. The moment is short, so there are many attempts.
#[test]
fn operations_of_other_threads_never_make_room_negative() {
    let nic = nic(Duration::from_millis(10));
    let wait_policy = WaitPolicy::new(0, false, true, Duration::from_secs(60));
    for attempt in 0..2000 {
        let lane = NetLane::new(nic.lane(), 0, nic.promises(), wait_policy.clone());
        std::thread::scope(|scope| {
            // Nobody has registered the region, so this fails, which counts as complete.
            scope.spawn(|| while lane.put_inline(FAR, &[7; 8]).is_ok() {});
            while lane.lane.failure().is_none() {
                assert!(lane.has_room(1) || lane.lane.posted() >= MOST_UNDER_WAY, "attempt {attempt}");
            }
        });
    }
}
