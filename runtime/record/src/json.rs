//! Counters as JSON.

use crate::counts::Count;
use crate::names::{Operation, Way};
use crate::read::Record;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The counters of all PEs. Each record comes with the number of its PE.
pub fn json(records: &[(u32, Record)]) -> String {
    let pes: Vec<_> = records.iter().map(|(pe, record)| of_pe(*pe, record)).collect();
    format!("{{\"format\":\"cushmem-stats\",\"version\":1,\"pes\":[\n{}\n]}}\n", pes.join(",\n"))
}

/// The text inside a string of JSON.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' | '\\' => escaped.extend(['\\', c]),
            _ if c.is_control() => {
                let _ = write!(escaped, "\\u{:04x}", u32::from(c));
            }
            _ => escaped.push(c),
        }
    }
    escaped
}

fn of_pe(pe: u32, record: &Record) -> String {
    let mut text =
        format!("{{\"pe\":{pe},\"joined\":{},\"left\":{}", record.begun().is_some(), record.ended().is_some());
    if let Some(host) = record.host() {
        let _ = write!(text, ",\"host\":\"{}\"", escaped(&host.name));
    }
    if let (Some(begun), Some(ended)) = (record.begun(), record.ended()) {
        let _ = write!(text, ",\"ns\":{}", ended.saturating_sub(begun));
    }
    list(&mut text, "operations", record.counts(), of_operation);
    list(&mut text, "waits", record.waits(), |(cause, waited)| {
        let buckets: Vec<_> = waited.buckets.iter().map(u64::to_string).collect();
        let (name, number, ns, buckets) = (cause.name(), waited.waits, waited.ns, buckets.join(","));
        format!("{{\"for\":\"{name}\",\"number\":{number},\"ns\":{ns},\"by_decade_from_1us\":[{buckets}]}}")
    });
    let mut on_peers: BTreeMap<u32, Vec<_>> = BTreeMap::new();
    for (peer, operation, way, count) in record.on_peers() {
        on_peers.entry(peer).or_default().push((operation, way, count));
    }
    list(&mut text, "peers", record.peers().into_iter(), |(peer, sum)| {
        let mut text = format!("{{\"pe\":{peer},{}", numbers(&sum));
        list(&mut text, "operations", on_peers.remove(&peer).into_iter().flatten(), of_operation);
        text.push('}');
        text
    });
    if record.left_out() > 0 {
        let _ = write!(text, ",\"not_by_peer\":{}", record.left_out());
    }
    for (name, are_retries) in [("proxy", false), ("retries", true)] {
        let some = record.extras().filter(|(extra, _)| extra.is_retry() == are_retries);
        list(&mut text, name, some, |(extra, number)| format!("{{\"what\":\"{}\",\"number\":{number}}}", extra.name()));
    }
    text.push('}');
    text
}

fn of_operation((operation, way, count): (Operation, Way, Count)) -> String {
    format!("{{\"operation\":\"{}\",\"path\":\"{}\",{}}}", operation.name(), way.name(), numbers(&count))
}

fn numbers(Count { operations, bytes, ns }: &Count) -> String {
    format!("\"number\":{operations},\"bytes\":{bytes},\"ns\":{ns}")
}

fn list<T>(text: &mut String, name: &str, all: impl Iterator<Item = T>, one: impl FnMut(T) -> String) {
    let all: Vec<_> = all.map(one).collect();
    let _ = write!(text, ",\"{name}\":[{}]", all.join(","));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::{Cause, Extra};
    use crate::read::tests::{read, recorder};

    #[test]
    fn it_is_json_and_has_the_numbers() {
        let (recorder, words) = recorder(2, 0);
        recorder.begin(1, 100);
        recorder.operation((Operation::Put, Way::Nic), 64, (Some(1), None), (0, 500), 0);
        recorder.wait(Cause::Word, None, (0, 5_000), 0);
        recorder.set(Extra::Naps, 9);
        recorder.count(Extra::Network, 4);
        recorder.count(Extra::Network, 3);
        recorder.end(1_100);
        let text = json(&[(0, read(words)), (1, read(crate::read::tests::recorder(2, 0).1))]);
        let value: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
        let first = &value["pes"][0];
        assert_eq!((first["pe"].as_u64(), first["ns"].as_u64()), (Some(0), Some(1_000)));
        let put = &first["operations"][0];
        assert_eq!((put["operation"].as_str(), put["path"].as_str()), (Some("put"), Some("nic")));
        assert_eq!([&put["number"], &put["bytes"], &put["ns"]].map(|n| n.as_u64()), [Some(1), Some(64), Some(500)]);
        assert_eq!(first["waits"][0]["by_decade_from_1us"][1].as_u64(), Some(1));
        let peer = &first["peers"][0];
        assert_eq!([&peer["pe"], &peer["bytes"], &peer["ns"]].map(|n| n.as_u64()), [Some(1), Some(64), Some(500)]);
        assert_eq!((&peer["operations"][0], first.get("not_by_peer")), (put, None));
        assert_eq!(["proxy", "retries"].map(|list| first[list][0]["number"].as_u64()), [Some(9), Some(7)]);
        assert_eq!(first["retries"][0]["what"].as_str(), Some("network operations"));
        assert_eq!(value["pes"][1]["joined"].as_bool(), Some(false));
    }
}
