//! Finds faults that the compiler introduces silently. [`Rule::why`] says what each rule protects from.

use super::text::{Statement, statements};
use std::collections::HashSet;
use std::fmt;

/// A rule that PTX has to follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Every declared function has a definition.
    UnresolvedExtern,
    /// Every call names a function of the module.
    UndefinedCall,
    /// Read-modify-writes name their order and scope.
    WeakAtomic,
    /// Ordered loads and stores name a scope, and the other way round.
    HalfOrderedAccess,
    /// No convergent instruction in `asm!`.
    ConvergentInAsm,
    /// No variables in local memory.
    LocalMemory,
    /// No loads through the non-coherent cache.
    NonCoherentLoad,
}

impl Rule {
    /// All rules.
    pub const ALL: [Self; 7] = [
        Self::UnresolvedExtern,
        Self::UndefinedCall,
        Self::WeakAtomic,
        Self::HalfOrderedAccess,
        Self::ConvergentInAsm,
        Self::LocalMemory,
        Self::NonCoherentLoad,
    ];

    /// Says what goes wrong otherwise, and what to do.
    pub fn why(self) -> &'static str {
        match self {
            Self::UnresolvedExtern => {
                "unresolved function: a device function of another crate lacks #[inline], or core calls memcmp or panics"
            }
            Self::UndefinedCall => "call of a function that the module does not contain: mark it #[inline]",
            Self::WeakAtomic => {
                "atomic without order and scope is relaxed at GPU scope: core's fetch_* lose both; use the device crate's"
            }
            Self::HalfOrderedAccess => "load or store has an order without a scope, or a scope without an order",
            Self::ConvergentInAsm => {
                "convergent instruction in asm!: the optimiser may copy it into both arms of a branch; use the intrinsic"
            }
            Self::LocalMemory => {
                "variables in local memory are slow: avoid arrays with a dynamic index, or list the kernel in allow-local"
            }
            Self::NonCoherentLoad => {
                "a non-coherent load never sees a peer's store: pass raw pointers or list the kernel in allow-nc"
            }
        }
    }
}

/// One fault in a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The line in the PTX, counted from 1.
    pub line: usize,
    /// The rule that is broken.
    pub rule: Rule,
    /// The function that contains it.
    pub function: Option<String>,
    /// The statement.
    pub text: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let function = self.function.as_deref().unwrap_or("the module");
        write!(f, "line {} in {function}: `{}`: {}", self.line, self.text, self.rule.why())
    }
}

/// Kernels that may break a rule, by name.
#[derive(Clone, Debug, Default)]
pub struct Allow {
    /// Kernels that may keep variables in local memory.
    pub local: Vec<String>,
    /// Kernels that may use non-coherent loads.
    pub nc: Vec<String>,
}

/// Functions that the driver provides.
const PROVIDED: [&str; 1] = ["vprintf"];
const ORDERS: [&str; 4] = ["relaxed", "acquire", "release", "acq_rel"];
const SCOPES: [&str; 4] = ["cta", "cluster", "gpu", "sys"];
const CONVERGENT: [&str; 8] = ["bar", "barrier", "shfl", "vote", "match", "redux", "elect", "activemask"];

/// Returns all faults of a PTX module.
pub fn lint(ptx: &str, allow: &Allow) -> Vec<Fault> {
    let all = statements(ptx);
    let defined: HashSet<&str> = all.iter().filter(|s| s.opens_body).filter_map(|s| s.declared_function()).collect();
    let fault = |s: &Statement, rule| Fault { line: s.line, rule, function: s.function.clone(), text: s.text.clone() };
    all.iter().filter_map(|s| broken_rule(s, &defined, allow).map(|rule| fault(s, rule))).collect()
}

fn broken_rule(s: &Statement, defined: &HashSet<&str>, allow: &Allow) -> Option<Rule> {
    let known = |name: &str| defined.contains(name) || PROVIDED.contains(&name);
    let listed = |list: &[String]| s.function.as_ref().is_some_and(|f| list.contains(f));
    if s.text.starts_with('.') {
        let unresolved = s.text.starts_with(".extern") && s.declared_function().is_some_and(|name| !known(name));
        let depot = s.text.starts_with(".local") && !listed(&allow.local);
        return unresolved.then_some(Rule::UnresolvedExtern).or(depot.then_some(Rule::LocalMemory));
    }
    let parts = s.parts();
    let has = |words: &[&str]| parts.iter().any(|p| words.contains(p));
    let (ordered, scoped) = (has(&ORDERS), has(&SCOPES));
    match *parts.first()? {
        "call" if s.called_function().is_some_and(|name| !known(name)) => Some(Rule::UndefinedCall),
        "atom" | "red" if !(ordered && scoped) => Some(Rule::WeakAtomic),
        "ld" if parts.contains(&"nc") && !listed(&allow.nc) => Some(Rule::NonCoherentLoad),
        "ld" | "st" if ordered != scoped => Some(Rule::HalfOrderedAccess),
        first if s.in_asm && (CONVERGENT.contains(&first) || parts.contains(&"sync")) => Some(Rule::ConvergentInAsm),
        _ => None,
    }
}
