//! Checks what `Shmem::paths` says about a cell: it names a path if the operation works, and none if it is refused.

use crate::data::{Cell, Class, Kind, Op, Relation, When};
use std::collections::BTreeMap;

/// The table as users read it: by initiator, memory of the peer and operation, an entry for each kind of local end.
pub struct Explained(BTreeMap<[String; 3], Vec<String>>);

impl Explained {
    /// Reads the table from its text.
    pub fn of(table: &str) -> Self {
        let mut rows = BTreeMap::new();
        let mut initiator = String::new();
        for line in table.lines() {
            let columns: Vec<&str> = line.split("  ").map(str::trim).filter(|text| !text.is_empty()).collect();
            match columns[..] {
                [head, "local end:", ..] => initiator = head.to_owned(),
                [memory, operations, ref paths @ ..] if !paths.is_empty() && !initiator.is_empty() => {
                    for operation in operations.split(' ') {
                        let key = [&initiator, memory, operation].map(|word| word.to_owned());
                        rows.insert(key, paths.iter().map(|&path| path.to_owned()).collect());
                    }
                }
                _ => {}
            }
        }
        Self(rows)
    }

    /// Returns how the table differs from a cell that works, or does not.
    pub fn differs(&self, cell: &Cell, works: bool) -> Option<String> {
        let says = operations(cell).into_iter().map(|operation| self.path(cell, operation));
        let says = says.collect::<Option<Vec<&str>>>().filter(|says| !says.is_empty())?;
        let has_path = says.iter().all(|path| !path.starts_with("none"));
        let does = if works { "works" } else { "is refused" };
        (has_path != works).then(|| format!("{does}, and the table of paths says `{}`", says.join("` and `")))
    }

    /// Returns the table's entry for such an operation; `None` if the table has no such memory, or if the operation
    /// moves nothing.
    fn path(&self, cell: &Cell, operation: &str) -> Option<&str> {
        let initiator = if cell.when == When::Stream { "by stream" } else { "by cpu" };
        let remote = match cell.target {
            Kind::HostHeap => "host",
            Kind::GpuHeap => "gpu",
            Kind::Globals => "globals",
            _ => return None,
        };
        let classes: &[&str] = match cell.relation {
            Relation::Own => &["own"],
            Relation::Node => &["mapped", "mapped-without-atomics", "attached", "unmapped"],
            Relation::Other => &["far"],
            Relation::All => return None,
        };
        let local = match cell.source {
            _ if operation == "amo" => 0,
            kind if kind.is_device() => 2,
            Kind::Pinned | Kind::Managed | Kind::HostHeap => 1,
            _ => 0,
        };
        let keys = classes.iter().map(|class| [initiator, &format!("{remote} {class}"), operation].map(str::to_owned));
        keys.into_iter().find_map(|key| self.0.get(&key)).and_then(|paths| paths.get(local)).map(String::as_str)
    }
}

/// Returns the table's words for what a cell does.
fn operations(cell: &Cell) -> Vec<&'static str> {
    match (cell.op, cell.op.class()) {
        // A stream holds the element in a word, which must be stored in one piece.
        (Op::P, _) if cell.when == When::Stream => vec!["put", "amo"],
        (Op::Put | Op::Iput | Op::P, _) => vec!["put"],
        (Op::Get | Op::Iget | Op::G, _) => vec!["get"],
        // The table's row is about the data. The signal beside it is a word, which must be stored in one piece.
        (_, Class::Signal) => vec!["put-signal", "amo"],
        (_, Class::Atomic) => vec!["amo"],
        _ => vec![],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches a table of which nothing is read, and a cell that is looked up in the wrong row.
    #[test]
    fn a_table_is_read() {
        let table = "\
paths by the memory of the peer and at the local end; `to N` is up to N bytes

by cpu        local end:  pageable                  pinned       gpu
gpu own       put get     gpu-agent to 9, engine    copy-engine  none [1]
gpu unmapped  amo         proxy

by stream     local end:  pageable                  pinned       gpu
gpu own       put get     none [2]                  copy-engine  copy-engine
";
        let explained = Explained::of(table);
        let cell = |op, when, source, relation| Cell { op, when, source, target: Kind::GpuHeap, relation };
        let put = |when, source| cell(Op::Put, when, source, Relation::Own);
        assert_eq!(explained.differs(&put(When::Nbi, Kind::Pageable), true), None);
        assert_eq!(explained.differs(&put(When::Nbi, Kind::Gpu), false), None);
        assert_eq!(explained.differs(&put(When::Stream, Kind::Gpu), true), None);
        let wrong = "works, and the table of paths says `none [2]`".to_owned();
        assert_eq!(explained.differs(&put(When::Stream, Kind::Pageable), true), Some(wrong));
        let add = cell(Op::FetchAdd, When::Blocking, Kind::Value, Relation::Node);
        assert!(explained.differs(&add, true).is_none() && explained.differs(&add, false).is_some());
        // There is no such row.
        assert_eq!(explained.differs(&cell(Op::FetchAdd, When::Blocking, Kind::Value, Relation::Other), true), None);
    }
}
