//! What PE 0 says of its job when it leaves, if `CUSHMEM_EXPLAIN` asks for it.

use crate::Shmem;
use crate::job::record;
use cushmem_environment::Explain;
use cushmem_path::{Initiator, Operation, Path, Policy};
use cushmem_record::{Operation as Recorded, Record, Way};

/// The most lines of counts, of reasons, and of reasons for one kind of operation.
const MOST_COUNTS: usize = 20;
const MOST_REASONS: usize = 10;
const MOST_OF_ONE: usize = 2;

impl Shmem {
    /// Prints it.
    pub(crate) fn explain(&self, what: Explain) {
        let (costs, policy) = (self.transfers().paths().costs(self.memory()), self.transfers().paths().policy());
        let network = self.transfers().sync().network().map(|network| {
            let steps = if what == Explain::All { network.explanation() } else { String::new() };
            let steps: String = steps.lines().map(|step| format!("  {step}\n")).collect();
            format!("cushmem: the network between nodes: {}\n{steps}", network.description())
        });
        let processor = self.services().processor_in_words().map(|what| format!("cushmem: {what}\n"));
        let network = network.unwrap_or_default() + &processor.unwrap_or_default();
        if what == Explain::All {
            let rows = policy.explain_all();
            eprint!("{network}cushmem: PE 0's paths, and why:\n{costs}\n\n{rows}\n");
            return;
        }
        let Some(record) = record::active().and_then(Record::so_far) else { return };
        let records = [(0, record)];
        let counts = counts(&records);
        let arrays = self.transfers().paths().arrays_in_words().unwrap_or_default();
        let reasons: String = reasons(&records[0].1, &policy).iter().map(|reason| format!("  {reason}\n")).collect();
        let why = if reasons.is_empty() { "" } else { "why these paths:\n" };
        eprint!(
            "{network}cushmem: what PE 0 did:\n{counts}{why}{reasons}{arrays}{costs}; --explain=all has all paths\n"
        );
    }
}

/// The counts, as a table.
fn counts(records: &[(u32, Record<'_>)]) -> String {
    let table = cushmem_record::table(records, false);
    let lines: Vec<_> = table.lines().filter(|line| !line.is_empty()).collect();
    let left = lines.len().saturating_sub(MOST_COUNTS);
    let mut text: String = lines.iter().take(MOST_COUNTS).map(|line| format!("{line}\n")).collect();
    if left > 0 {
        text += &format!("  and {left} more lines (shmemrun --stats)\n");
    }
    text
}

/// Why the operations that were counted took their paths.
fn reasons(record: &Record<'_>, policy: &Policy) -> Vec<String> {
    let why = |operation, initiator, is_it: &dyn Fn(Path) -> bool| policy.why(operation, initiator, is_it);
    let mut all = vec![];
    for (operation, way, _) in record.counts() {
        let by_cpu = |path| record::way_of(path) == way && way != Way::None;
        // What kernels carry out themselves is not counted.
        let not_by_kernel = |path| path != Path::GpuDirect;
        let found = match operation {
            Recorded::Put => why(Operation::Put, Initiator::Cpu, &by_cpu),
            Recorded::Get => why(Operation::Get, Initiator::Cpu, &by_cpu),
            Recorded::PutSignal => why(Operation::PutSignal, Initiator::Cpu, &by_cpu),
            Recorded::Atomic => why(Operation::Amo, Initiator::Cpu, &by_cpu),
            Recorded::CommandPut => why(Operation::Put, Initiator::Kernel, &not_by_kernel),
            Recorded::CommandGet => why(Operation::Get, Initiator::Kernel, &not_by_kernel),
            Recorded::CommandWord => why(Operation::Amo, Initiator::Kernel, &not_by_kernel),
            _ => vec![],
        };
        let left = found.len().saturating_sub(MOST_OF_ONE);
        all.extend(found.into_iter().take(MOST_OF_ONE));
        if let Some(last) = all.last_mut().filter(|_| left > 0) {
            *last += &format!(" (and {left} more kinds of memory)");
        }
    }
    let left = all.len().saturating_sub(MOST_REASONS);
    all.truncate(MOST_REASONS);
    if left > 0 {
        all.push(format!("and {left} more (--explain=all)"));
    }
    all
}
