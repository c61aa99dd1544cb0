//! Copies by the bulk engine: only builds for sm_90 contain them, between the fences and waits that they need.

use cushmem_ptx_tests::{far_ptx_of, ptx_of, sm_90_ptx_of};
use xtask::ptx::text::{body_of, statements};

/// The benchmark's kernel crate.
const BENCHMARK: &str = "shmem-bench-kernels";

const TO_SHARED: &str = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes";
const TO_GLOBAL: &str = "cp.async.bulk.global.shared::cta.bulk_group";

/// Returns the instructions of a kernel that matter for bulk copies and what comes behind them, in textual sequence.
fn of_kernel(ptx: &str, kernel: &str) -> Vec<String> {
    let matters = ["cp.async", "fence", "mbarrier"];
    let statements = statements(ptx);
    let all = body_of(&statements, kernel).into_iter().map(|s| s.text.trim_end_matches(';').to_owned());
    all.filter(|text| matters.iter().any(|part| text.starts_with(part))).collect()
}

/// Catches a source that is read before the fence, a stage that is filled again before it has been read, and data that
/// is not complete when quiet begins.
#[test]
fn bulk_copies_lie_between_their_fences_and_waits() {
    let Some(ptx) = sm_90_ptx_of(BENCHMARK) else { return };
    for kernel in ["put_quiet_lent_thread", "put_quiet_lent_warp", "put_quiet_lent_block"] {
        let found = of_kernel(ptx, kernel);
        let at = |what: &str| found.iter().position(|text| text.starts_with(what));
        let last = |what: &str| found.iter().rposition(|text| text.starts_with(what));
        let in_order = [
            last("mbarrier.init"),
            at("fence.proxy.async"),
            at(TO_SHARED),
            at("mbarrier.try_wait"),
            at(TO_GLOBAL),
            at("cp.async.bulk.commit_group"),
            at("cp.async.bulk.wait_group.read 1"),
            last(TO_SHARED),
            at("cp.async.bulk.wait_group 0"),
            at("mbarrier.inval"),
        ];
        assert!(in_order.iter().all(Option::is_some) && in_order.is_sorted(), "{kernel}: {found:#?}");
        assert!(at("fence.sc.sys").is_some(), "{kernel}: {found:#?}");
    }
    // The same as for other GPUs, where nothing is lent.
    assert!(of_kernel(ptx, "put_quiet_block").iter().all(|text| text == "fence.sc.sys"));
}

/// Catches instructions that older GPUs do not have.
#[test]
fn other_builds_contain_none() {
    for ptx in [ptx_of(BENCHMARK), far_ptx_of(BENCHMARK)] {
        let Some(ptx) = ptx else { return };
        assert!(ptx.contains("\n.version 7.8\n.target sm_75\n") && ptx.contains(".entry put_quiet_lent_thread("));
        for part in ["cp.async", "mbarrier", "fence.proxy"] {
            assert!(!ptx.contains(part), "a trace of {part}");
        }
    }
}
