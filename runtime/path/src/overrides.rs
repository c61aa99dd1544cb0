//! `CUSHMEM_PATH`: the user's choice of path, by row.
//!
//! ```text
//!   value    = item { "," item }                the last item that fits a row counts
//!   item     = [ selector "=" ] path            without a selector it is for all rows
//!   selector = term { ":" term }                in any order, each of another sort
//!   term     = operation | initiator | class | LOCAL "-" REMOTE
//!   LOCAL    = "pageable" | "pinned" | "host" (either) | "gpu" | "any"
//!   REMOTE   = "host" | "gpu" | "globals" | "registered" | "any"
//! ```
//!
//! The local end comes first, whichever way the bytes travel: `get:gpu-host` gets from the host heap into GPU memory.

use crate::machine::Machine;
use crate::path::Path;
use crate::request::{Class, Initiator, LocalKind, Operation, RemoteKind, Request};
use crate::serve::serves;
use std::fmt;

/// What `CUSHMEM_PATH` asks for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overrides {
    items: Vec<Item>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Item {
    text: String,
    selector: Selector,
    path: Path,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Selector {
    operation: Option<Operation>,
    initiator: Option<Initiator>,
    class: Option<Class>,
    ends: Option<(&'static [LocalKind], &'static [RemoteKind])>,
}

/// What is wrong with `CUSHMEM_PATH`, in one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadOverride {
    cause: String,
}

impl fmt::Display for BadOverride {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "read CUSHMEM_PATH: {}", self.cause)
    }
}

impl std::error::Error for BadOverride {}

impl BadOverride {
    fn of(item: &str, cause: impl fmt::Display) -> Self {
        let (item, cause) = (format!("`{item}`"), cause.to_string());
        // An item that is only a path need not be named twice.
        Self { cause: if cause.starts_with(&item) { cause } else { format!("{item}: {cause}") } }
    }
}

impl Overrides {
    /// Parses the value of `CUSHMEM_PATH`. An empty value asks for nothing.
    pub fn parse(text: &str) -> Result<Self, BadOverride> {
        if text.trim().is_empty() {
            return Ok(Self::default());
        }
        let items = text.split(',').map(|item| Item::parse(item.trim())).collect::<Result<_, _>>()?;
        Ok(Self { items })
    }

    /// The path that is asked for in a row.
    pub(crate) fn wanted(&self, request: Request) -> Option<Path> {
        self.items.iter().rev().find(|item| item.selector.takes(request)).map(|item| item.path)
    }

    /// Fails if there is an item that no row can follow: it would have no effect, and the user would not know.
    pub fn check(&self, machine: &Machine) -> Result<(), BadOverride> {
        for item in &self.items {
            let mut refused = Request::all().filter(|r| item.selector.takes(*r)).map(|r| serves(item.path, r, machine));
            if refused.any(|answer| answer.is_ok()) {
                continue;
            }
            // The absence of a transport is more informative than the rules of a row.
            let mut reasons: Vec<String> = Vec::new();
            let absent = machine.transport(item.path).err().map(str::to_owned);
            let lacks_gpu = machine.gpu.as_ref().err().filter(|_| item.path.needs_gpu()).cloned();
            match lacks_gpu.or(absent) {
                Some(why) => reasons.push(why),
                None => {
                    for request in Request::all().filter(|r| item.selector.takes(*r)) {
                        let why = serves(item.path, request, machine).err().map(|no| no.to_string());
                        reasons.extend(why.filter(|why| !reasons.contains(why)));
                    }
                }
            }
            let cause = format!("{} can serve none of these rows: {}", item.path, reasons.join("; "));
            return Err(BadOverride::of(&item.text, cause));
        }
        Ok(())
    }
}

impl Item {
    fn parse(text: &str) -> Result<Self, BadOverride> {
        let (terms, path) = match text.rsplit_once('=') {
            Some((terms, path)) => (Some(terms), path.trim()),
            None => (None, text),
        };
        let Some(path) = Path::ALL.iter().find(|known| known.word() == path) else {
            let cause = format!("`{path}` is not a path; paths are {}", words(Path::ALL.iter().map(|p| p.word())));
            return Err(BadOverride::of(text, cause));
        };
        let mut selector = Selector::default();
        for term in terms.iter().flat_map(|terms| terms.split(':')) {
            selector.add(term.trim()).map_err(|cause| BadOverride::of(text, cause))?;
        }
        Ok(Self { text: text.to_owned(), selector, path: *path })
    }
}

impl Selector {
    fn add(&mut self, term: &str) -> Result<(), String> {
        if let Some(operation) = Operation::ALL.iter().find(|o| o.word() == term) {
            return once(&mut self.operation, *operation, "an operation", term);
        }
        if let Some(initiator) = Initiator::ALL.iter().find(|i| i.word() == term) {
            return once(&mut self.initiator, *initiator, "an initiator", term);
        }
        if let Some(class) = Class::ALL.iter().find(|c| c.word() == term) {
            return once(&mut self.class, *class, "a class", term);
        }
        match term.split_once('-').map(|(local, remote)| (local_kinds(local), remote_kinds(remote))) {
            Some((Some(local), Some(remote))) => once(&mut self.ends, (local, remote), "both ends", term),
            _ => Err(format!(
                "`{term}` is not an operation ({}), an initiator ({}), a class ({}) or LOCAL-REMOTE (any, host, pageable, pinned, \
                 gpu - any, {})",
                words(Operation::ALL.iter().map(|o| o.word())),
                words(Initiator::ALL.iter().map(|i| i.word())),
                words(Class::ALL.iter().map(|c| c.word())),
                words(RemoteKind::ALL.iter().map(|r| r.word())),
            )),
        }
    }

    fn takes(&self, request: Request) -> bool {
        self.operation.is_none_or(|operation| operation == request.operation)
            && self.initiator.is_none_or(|initiator| initiator == request.initiator)
            && self.class.is_none_or(|class| class == request.class)
            && self
                .ends
                .is_none_or(|(local, remote)| local.contains(&request.local) && remote.contains(&request.remote))
    }
}

fn once<T>(place: &mut Option<T>, value: T, sort: &str, term: &str) -> Result<(), String> {
    match place.replace(value) {
        None => Ok(()),
        Some(_) => Err(format!("`{term}` comes after another term that names {sort}")),
    }
}

fn local_kinds(word: &str) -> Option<&'static [LocalKind]> {
    match word {
        "any" => Some(LocalKind::ALL),
        "host" => Some(&[LocalKind::Pageable, LocalKind::Pinned]),
        _ => LocalKind::ALL.iter().find(|kind| kind.word() == word).map(std::slice::from_ref),
    }
}

fn remote_kinds(word: &str) -> Option<&'static [RemoteKind]> {
    match word {
        "any" => Some(RemoteKind::ALL),
        _ => RemoteKind::ALL.iter().find(|kind| kind.word() == word).map(std::slice::from_ref),
    }
}

fn words<'a>(words: impl Iterator<Item = &'a str>) -> String {
    words.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GpuLink;

    fn request(operation: Operation, local: LocalKind, remote: RemoteKind) -> Request {
        Request { operation, initiator: Initiator::Cpu, local, remote, class: Class::Mapped { atomics: true } }
    }

    #[test]
    fn the_last_item_that_fits_counts() {
        let overrides = Overrides::parse("mapped, put:host-gpu=copy-engine ,cpu:get:any-globals=cross-memory").unwrap();
        let wanted = |operation, local, remote| overrides.wanted(request(operation, local, remote));
        assert_eq!(wanted(Operation::Put, LocalKind::Pinned, RemoteKind::Gpu), Some(Path::CopyEngine));
        assert_eq!(wanted(Operation::Put, LocalKind::Gpu, RemoteKind::Gpu), Some(Path::Mapped));
        assert_eq!(wanted(Operation::Get, LocalKind::Gpu, RemoteKind::Globals), Some(Path::CrossMemory));
        assert_eq!(wanted(Operation::PutSignal, LocalKind::Pinned, RemoteKind::Gpu), Some(Path::Mapped));
        assert_eq!(
            Overrides::parse("  ").unwrap().wanted(request(Operation::Put, LocalKind::Gpu, RemoteKind::Gpu)),
            None
        );
    }

    #[test]
    fn every_word_of_the_tables_can_be_written() {
        for path in Path::ALL {
            Overrides::parse(path.word()).unwrap();
        }
        for number in 0..Request::COUNT {
            let r = Request::of_number(number);
            let text = format!("{}:{}:{}-{}:{}=mapped", r.class, r.operation, r.local, r.remote, r.initiator);
            let overrides = Overrides::parse(&text).unwrap();
            assert_eq!(Request::all().filter(|r| overrides.wanted(*r).is_some()).collect::<Vec<_>>(), [r], "{text}");
        }
    }

    #[test]
    fn mistakes_are_named_with_what_is_valid() {
        let error = |text: &str| Overrides::parse(text).unwrap_err().to_string();
        let paths = "mapped, gpu-direct, copy-engine, gpu-agent, bar, cross-memory, cross-memory-staged, nic, gdr, staged, proxy";
        assert_eq!(
            error("put=copyengine"),
            format!("read CUSHMEM_PATH: `put=copyengine`: `copyengine` is not a path; paths are {paths}")
        );
        assert_eq!(
            error("mapped,put:gpu=mapped"),
            "read CUSHMEM_PATH: `put:gpu=mapped`: `gpu` is not an operation (put, get, put-signal, amo), an initiator (cpu, \
             stream, kernel), a class (own, mapped, mapped-without-atomics, attached, unmapped, far) or LOCAL-REMOTE (any, host, \
             pageable, pinned, gpu - any, host, gpu, globals, registered)"
        );
        assert_eq!(
            error("put:get=mapped"),
            "read CUSHMEM_PATH: `put:get=mapped`: `get` comes after another term that names an operation"
        );
        assert!(error("mapped,").starts_with("read CUSHMEM_PATH: `` is not a path; "));
        assert!(error("=mapped").contains("`` is not an operation"));
    }

    #[test]
    fn what_no_row_can_follow_is_an_error() {
        let mut machine = Machine::today(GpuLink::Pcie);
        let error =
            |machine: &Machine, text: &str| Overrides::parse(text).unwrap().check(machine).unwrap_err().to_string();
        assert_eq!(
            error(&machine, "get=nic"),
            "read CUSHMEM_PATH: `get=nic`: nic can serve none of these rows: not in this version"
        );
        assert_eq!(
            error(&machine, "mapped,any-gpu=mapped"),
            "read CUSHMEM_PATH: `any-gpu=mapped`: mapped can serve none of these rows: the CPU does not load or store GPU memory; \
             only a CPU thread can use it"
        );
        machine.gpu = Err("this job runs without GPUs (CUSHMEM_GPU=none)".into());
        assert_eq!(
            error(&machine, "copy-engine"),
            "read CUSHMEM_PATH: `copy-engine`: copy-engine can serve none of these rows: this job runs without GPUs (CUSHMEM_GPU=none)"
        );
        assert!(Overrides::parse("mapped").unwrap().check(&machine).is_ok());
    }
}
