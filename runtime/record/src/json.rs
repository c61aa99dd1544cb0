//! Counters as JSON.

use crate::names::Extra;
use crate::read::Record;
use std::fmt::Write;

/// The counters of all PEs. Each record comes with the number of its PE.
pub fn json(records: &[(u32, Record)]) -> String {
    let pes: Vec<_> = records.iter().map(|(pe, record)| of_pe(*pe, record)).collect();
    format!("{{\"format\":\"cushmem-stats\",\"version\":1,\"pes\":[\n{}\n]}}\n", pes.join(",\n"))
}

fn of_pe(pe: u32, record: &Record) -> String {
    let mut text =
        format!("{{\"pe\":{pe},\"joined\":{},\"left\":{}", record.begun().is_some(), record.ended().is_some());
    if let Some(host) = record.host() {
        let _ = write!(text, ",\"host\":\"{}\"", crate::timeline::escaped(&host.name));
    }
    if let (Some(begun), Some(ended)) = (record.begun(), record.ended()) {
        let _ = write!(text, ",\"ns\":{}", ended.saturating_sub(begun));
    }
    list(&mut text, "operations", record.counts(), |(operation, way, count)| {
        format!(
            "{{\"operation\":\"{}\",\"path\":\"{}\",\"number\":{},\"bytes\":{},\"ns\":{}}}",
            operation.name(),
            way.name(),
            count.operations,
            count.bytes,
            count.ns
        )
    });
    list(&mut text, "waits", record.waits(), |(cause, waited)| {
        let buckets: Vec<_> = waited.buckets.iter().map(u64::to_string).collect();
        let (name, number, ns, buckets) = (cause.name(), waited.waits, waited.ns, buckets.join(","));
        format!("{{\"for\":\"{name}\",\"number\":{number},\"ns\":{ns},\"by_decade_from_1us\":[{buckets}]}}")
    });
    list(&mut text, "peers", record.peers(), |(peer, number, bytes)| {
        format!("{{\"pe\":{peer},\"number\":{number},\"bytes\":{bytes}}}")
    });
    list(&mut text, "proxy", record.extras(), |(extra, number): (Extra, u64)| {
        format!("{{\"what\":\"{}\",\"number\":{number}}}", extra.name())
    });
    text.push('}');
    text
}

fn list<T>(text: &mut String, name: &str, all: impl Iterator<Item = T>, one: impl Fn(T) -> String) {
    let all: Vec<_> = all.map(one).collect();
    let _ = write!(text, ",\"{name}\":[{}]", all.join(","));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::{Cause, Operation, Way};
    use crate::read::tests::{read, recorder};

    #[test]
    fn it_is_json_and_has_the_numbers() {
        let (recorder, words) = recorder(2, 0);
        recorder.begin(1, 100);
        recorder.operation((Operation::Put, Way::Nic), 64, (Some(1), None), (0, 500), 0);
        recorder.wait(Cause::Word, None, (0, 5_000), 0);
        recorder.set(Extra::Naps, 9);
        recorder.end(1_100);
        let text = json(&[(0, read(words)), (1, read(crate::read::tests::recorder(2, 0).1))]);
        let value: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
        let first = &value["pes"][0];
        assert_eq!((first["pe"].as_u64(), first["ns"].as_u64()), (Some(0), Some(1_000)));
        let put = &first["operations"][0];
        assert_eq!((put["operation"].as_str(), put["path"].as_str()), (Some("put"), Some("nic")));
        assert_eq!([&put["number"], &put["bytes"], &put["ns"]].map(|n| n.as_u64()), [Some(1), Some(64), Some(500)]);
        assert_eq!(first["waits"][0]["by_decade_from_1us"][1].as_u64(), Some(1));
        assert_eq!(first["peers"][0]["bytes"].as_u64(), Some(64));
        assert_eq!(first["proxy"][0]["number"].as_u64(), Some(9));
        assert_eq!(value["pes"][1]["joined"].as_bool(), Some(false));
    }
}
