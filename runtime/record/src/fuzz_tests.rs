//! Damaged records: a PE can write anything into its own.

use crate::read::tests::recorder;
use crate::{Cause, Extra, Operation, Record, Way, json, table, timeline};
use cushmem_fuzz::Parser;
use std::sync::atomic::Ordering;

#[test]
fn records() {
    let (recorder, words) = recorder(2, 6);
    recorder.begin(77, 1_000);
    recorder.track("main");
    for number in 0..5 {
        recorder.operation((Operation::Put, Way::Nic), 64, (Some(1), None), (2_000 + number, 2_512), 0);
    }
    ["step", "_Z4stepIfEvv"].iter().for_each(|kernel| recorder.launch((9, Some(kernel)), (2_600, 2_700), 0));
    recorder.kernel((9, Some("step")), (2_650, 40), Some((2, 8)), 0);
    recorder.wait(Cause::Peers, None, (5_000, 6_000), 0);
    recorder.set(Extra::Naps, 3);
    let sample: Vec<u8> = words.iter().flat_map(|word| word.load(Ordering::Relaxed).to_le_bytes()).collect();
    let bytes = sample.len();
    let parser = Parser::new("records", env!("CARGO_PKG_NAME")).sample("two_pes", sample).most_bytes(2 * bytes);
    parser.tokens(&[[0xff; 8], [0; 8]]).costly(4).run(|bytes| {
        let records: Vec<_> = [0, 1].into_iter().filter_map(|pe| Some((pe, Record::new(bytes)?))).collect();
        let mut events = vec![];
        let is_done = timeline(&records, &mut events, &mut || true).is_ok();
        for text in [json(&records).as_bytes(), if is_done { &events } else { b"0" }] {
            serde_json::from_slice::<serde_json::Value>(text).expect("it is JSON");
        }
        // A row for each operation and path, and a few others.
        assert!(table(&records, true).lines().count() < Operation::ALL.len() * Way::ALL.len() + 40);
        assert!(records.iter().all(|(_, record)| record.events().count() <= bytes.len() / 32));
    });
}
