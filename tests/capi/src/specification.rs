//! What the specification contains, from two lists of its names and prototypes. Except for the names of types, this is
//! independent of the table from which the headers are written.

use cushmem_capi_table::{REDUCE_ARITHMETIC, SIZES, Type};

const NAMES: &str = include_str!("../data/openshmem-1.6-names.txt");
const PROTOTYPES: &str = include_str!("../data/openshmem-1.6-prototypes.txt");

/// A routine of the specification.
pub struct Routine {
    /// Its name.
    pub name: &'static str,
    /// Whether it is deprecated.
    pub deprecated: bool,
    /// What it returns.
    pub returns: String,
    /// Its parameters.
    pub parameters: String,
}

/// A generic form, called with one of its types.
pub struct Generic {
    /// Its name.
    pub name: String,
    /// Whether it is deprecated.
    pub deprecated: bool,
    /// What it returns.
    pub returns: String,
    /// Its parameters.
    pub parameters: String,
    /// The routine that it calls, as far as the names show: of the routines with the same C type, the one that the
    /// specification lists first.
    pub calls: String,
}

/// A line of the list of prototypes, under the heading of its routine.
struct Line {
    heading: &'static str,
    c11: bool,
    deprecated: bool,
    returns: &'static str,
    name: &'static str,
    parameters: &'static str,
}

/// Returns all routines.
///
/// # Panics
/// If a name has no prototype.
pub fn routines() -> Vec<Routine> {
    let lines = lines();
    NAMES.lines().map(|row| routine(row, &lines)).collect()
}

fn routine(row: &'static str, lines: &[Line]) -> Routine {
    let (name, heading) = row.split_once('\t').expect("name and heading");
    let (name, deprecated) = name.strip_suffix(" DEPRECATED").map_or((name, false), |name| (name, true));
    let found = lines.iter().filter(|l| !l.c11 && l.heading == heading).find_map(|l| Some((l, l.instance(name)?)));
    let (line, [returns, parameters]) = found.unwrap_or_else(|| panic!("{name} has no prototype"));
    assert!(deprecated || !line.deprecated, "{name} is deprecated by its prototype alone");
    Routine { name, deprecated, returns, parameters }
}

/// Returns each generic form, once for each of its C types.
pub fn generics(routines: &[Routine]) -> Vec<Generic> {
    let lines = lines();
    lines.iter().filter(|l| l.c11).flat_map(|l| of_line(l, routines)).collect()
}

fn of_line(line: &Line, routines: &[Routine]) -> Vec<Generic> {
    let Line { name, deprecated, returns, parameters, .. } = *line;
    let with_context = parameters.starts_with("shmem_ctx_t");
    let exists = |name: &str| routines.iter().any(|r| r.name == name);
    let generic = |returns: String, parameters: String, calls: String| Generic {
        name: name.to_owned(),
        deprecated,
        returns,
        parameters,
        calls,
    };
    if !parameters.contains("TYPE") {
        let calls = match name {
            "shmem_sync" => "shmem_team_sync".to_owned(),
            _ if with_context => name.replacen("shmem_", "shmem_ctx_", 1),
            _ => name.to_owned(),
        };
        return vec![generic(returns.to_owned(), parameters.to_owned(), calls)];
    }
    let prefix = if with_context { "shmem_ctx_" } else { "shmem_" };
    let typed = |t: &Type| name.replacen("shmem_", &format!("{prefix}{}_", t.name), 1);
    let types: Vec<&Type> = REDUCE_ARITHMETIC.iter().filter(|t| exists(&typed(t))).collect();
    assert!(!types.is_empty(), "{name}: no type has it");
    let first =
        |t: &Type| types.iter().find(|f| f.fundamental() == t.fundamental()).map_or_else(String::new, |f| typed(f));
    types
        .iter()
        .map(|t| generic(returns.replace("TYPE", c_type(t)), parameters.replace("TYPE", c_type(t)), first(t)))
        .collect()
}

/// Returns the type as the specification writes it.
fn c_type(t: &Type) -> &'static str {
    match t.name {
        "complexf" => "float _Complex",
        "complexd" => "double _Complex",
        _ => t.c,
    }
}

impl Line {
    /// Returns the return type and the parameters of the routine with this name, if the line is its prototype.
    fn instance(&self, name: &str) -> Option<[String; 2]> {
        let with = |c: &str| [self.returns, self.parameters].map(|text| text.replace("TYPE", c));
        if self.name == name {
            return Some(with(""));
        }
        let sized = |bits: &u32| self.name.replace("<SIZE>", &bits.to_string()) == name;
        if self.name.contains("<SIZE>") && SIZES.iter().any(sized) {
            return Some(with(""));
        }
        let of = REDUCE_ARITHMETIC.iter().find(|t| self.name.replace("<TYPENAME>", t.name) == name)?;
        Some(with(c_type(of)))
    }
}

fn lines() -> Vec<Line> {
    let mut heading = "";
    let mut lines = vec![];
    for row in PROTOTYPES.lines() {
        if let Some(name) = row.strip_prefix("## ") {
            heading = name;
        } else if let Some((before, parameters)) = row.trim_end_matches(");").split_once('(') {
            let (column, declaration) = before.split_at(9);
            let at = declaration.rfind([' ', '*']).expect("a return type") + 1;
            lines.push(Line {
                heading,
                c11: column.starts_with("C11"),
                deprecated: column.contains("DEPR"),
                returns: declaration[..at].trim_end(),
                name: &declaration[at..],
                parameters,
            });
        } else {
            // The two structures, which `names.rs` checks.
            assert!(row.contains("typedef struct {") || row.contains("} shmem_"), "{row}");
        }
    }
    lines
}
