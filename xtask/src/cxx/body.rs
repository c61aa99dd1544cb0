//! Makes the contents of `asm` statements of CUDA C++ out of functions in PTX.
//!
//! A function becomes one statement. Its parameters, its result and the words of the kernels' context that it reads
//! become operands: each unit of CUDA C++ has a context of its own, whose name in PTX is not known here. A function
//! that it calls takes the place of the call, because a unit's PTX contains only what its C++ refers to. Each function
//! becomes a scope of PTX, so that its labels need no other names. Its registers do: an operand is a register around
//! the scope.
//!
//! A function that does not return, to which many calls lead, is there once: the calls become jumps behind the end of
//! the statement's own function. It tells the CPU what went wrong, at length, and most functions can fail in many
//! places.

use anyhow::{Context, Result, bail, ensure};
use std::collections::BTreeMap;

/// The most operands of an `asm` statement.
const OPERANDS: usize = 30;

/// How the names of functions start in which nothing is shared. They have 64 registers for compute capability 9.0, the
/// most with which they can be linked with kernels for blocks of 1,024 threads, and would have 66.
pub(super) const FULL: &str = "far_get_chunk_";

/// The functions of a module by their names.
pub type Functions = BTreeMap<String, Function>;

/// A function of a PTX module.
#[derive(Debug)]
pub struct Function {
    /// Bits of each parameter.
    pub parameters: Vec<u32>,
    /// Bits of the result, which may consist of several words.
    pub results: Vec<u32>,
    /// Whether it does not return.
    ends: bool,
    lines: Vec<String>,
}

/// Reads all functions that have a body.
pub fn functions(ptx: &str) -> Result<Functions> {
    let mut found = Functions::new();
    let mut lines = ptx.lines();
    while let Some(line) = lines.next() {
        if !line.starts_with(".func") && !line.starts_with(".visible .func") {
            continue;
        }
        let mut head = line.to_owned();
        while !head.ends_with(['{', ';']) {
            head += lines.next().context("the head of a function has no end")?;
        }
        if head.ends_with(';') {
            continue;
        }
        let code = |line: &str| line.split_once("//").map_or(line, |(code, _)| code).trim().to_owned();
        let lines = lines.by_ref().take_while(|line| *line != "}").map(code).filter(|line| !line.is_empty()).collect();
        let (name, function) = read(&head, lines).with_context(|| format!("read `{head}`"))?;
        found.insert(name, function);
    }
    Ok(found)
}

fn read(head: &str, lines: Vec<String>) -> Result<(String, Function)> {
    let rest = head.split_once(".func").context("it is no function")?.1.trim_start();
    let (result, rest) = match rest.strip_prefix('(') {
        Some(rest) => rest.split_once(')').context("the result has no end")?,
        None => ("", rest),
    };
    let (name, rest) = rest.split_once('(').context("there are no parameters")?;
    let parameters = rest.split_once(')').context("the parameters have no end")?.0;
    let bits = |declared: &str| -> Result<u32> {
        let bits = declared.split_whitespace().find_map(|word| word.strip_prefix(".b"));
        bits.and_then(|bits| bits.parse().ok()).with_context(|| format!("the type of `{declared}`"))
    };
    let results = match result.trim() {
        "" => vec![],
        pair if pair.ends_with("[16]") => vec![64, 64],
        number => vec![bits(number)?],
    };
    let parameters = parameters.split(',').map(str::trim).filter(|p| !p.is_empty()).map(bits).collect::<Result<_>>()?;
    let ends = head.ends_with(".noreturn{");
    Ok((name.trim().to_owned(), Function { parameters, results, ends, lines }))
}

/// The contents of an `asm` statement.
#[derive(Debug, PartialEq, Eq)]
pub struct Body {
    /// The instructions, one in each line.
    pub text: String,
    /// The words of the context that they read, by offset and bits, in the order of the operands.
    pub context: Vec<(u32, u32)>,
}

/// Returns a function and all that it calls. The operands are the results, the parameters and the words of the context,
/// or the address of the context if the function is a `call`: there, each word is loaded where it is needed, because it
/// would otherwise be in a register all the time.
pub fn body(functions: &Functions, name: &str, is_call: bool) -> Result<Body> {
    let function = functions.get(name).with_context(|| format!("the PTX has no function {name}"))?;
    let (results, parameters) = (function.results.len(), function.parameters.len());
    let has_jumps = !name.starts_with(FULL);
    let first = results + parameters;
    let mut writer = Writer { functions, context: vec![], first, scopes: 0, ends: vec![], has_jumps, is_call };
    let operands = |range: std::ops::Range<usize>| range.map(operand).collect::<Vec<_>>();
    let text = writer.scope(name, &operands(results..results + parameters), &operands(0..results))?;
    let mut text = writer.with_ends(text)?;
    if is_call {
        text = format!("{{\n.reg .b64 context;\ncvta.to.const.u64 context, {};\n{text}\n}}", operand(writer.first));
    }
    let count = writer.first + if is_call { 1 } else { writer.context.len() };
    ensure!(count <= OPERANDS, "{name} needs {count} operands, and an asm statement can have {OPERANDS}");
    // In a statement without operands, a `%` is nothing special.
    let percent = if count == 0 { "%" } else { "%%" };
    Ok(Body { text: renamed(&text).replace('%', percent).replace(OPERAND, "%"), context: writer.context })
}

/// The text with names of registers that a compiler of C++ does not give to operands: `%xr1` instead of `%r1`.
fn renamed(text: &str) -> String {
    let mut parts = text.split('%');
    let mut new = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let name = part.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        let (kind, is_numbered) =
            (&part[..part.len() - name.len()], name.starts_with(|c: char| c == '<' || c.is_ascii_digit()));
        new += if is_numbered && ["p", "r", "rd", "rs", "f", "fd"].contains(&kind) { "%x" } else { "%" };
        new += part;
    }
    new
}

/// Stands for the `%` of an operand as long as other text contains a `%` of its own.
const OPERAND: char = '\u{1}';

fn operand(number: usize) -> String {
    format!("{OPERAND}{number}")
}

struct Writer<'a> {
    functions: &'a Functions,
    context: Vec<(u32, u32)>,
    /// The number of the operand for the first word of the context.
    first: usize,
    /// The number of scopes so far, from which labels are named.
    scopes: usize,
    /// The functions to which jumps lead so far.
    ends: Vec<String>,
    /// Whether calls of functions that do not return become jumps.
    has_jumps: bool,
    /// Whether the address of the context is in a register.
    is_call: bool,
}

/// The label of a function that ends the kernel.
fn label(end: usize) -> String {
    format!("$END{end}")
}

/// The register of a parameter of a function that ends the kernel.
fn of_end(end: usize, parameter: usize) -> String {
    format!("end{end}_{parameter}")
}

impl Writer<'_> {
    /// A function whose parameters are in these registers, and whose results go to those.
    fn scope(&mut self, name: &str, parameters: &[String], results: &[String]) -> Result<String> {
        let functions = self.functions;
        let function = functions.get(name).with_context(|| format!("the PTX has no function {name}"))?;
        self.scopes += 1;
        let end = format!("$E{}", self.scopes);
        let mut text = vec!["{".to_owned()];
        let scope = self.scopes;
        for line in &function.lines {
            let line = &own(line, scope);
            let converted = if line.starts_with(".param") {
                line.replacen(".param", ".reg", 1)
            } else if let Some(rest) = line.strip_prefix("st.param.") {
                store(rest, results)?
            } else if let Some(rest) = line.strip_prefix("ld.param.") {
                load(rest, name, function, parameters)?
            } else if let Some(rest) = line.strip_prefix("call.uni ") {
                self.call(rest)?
            } else if let Some(condition) = line.strip_suffix("ret;") {
                format!("{condition}bra {end};")
            } else {
                self.with_context(line)?
            };
            text.push(converted);
        }
        let jump = format!("bra {end};");
        if text.last() == Some(&jump) {
            text.pop();
        }
        if text.iter().any(|line| line.contains(&jump)) {
            text.push(format!("{end}:"));
        }
        text.push("}".to_owned());
        Ok(text.join("\n"))
    }

    /// What a call names, in its place.
    fn call(&mut self, rest: &str) -> Result<String> {
        let (results, rest) = match rest.strip_prefix('(').and_then(|rest| rest.split_once("), ")) {
            Some((result, rest)) if result.starts_with("retval") => (vec![result.to_owned()], rest),
            _ => (vec![], rest),
        };
        let (name, arguments) = rest.split_once(", (").context("a call without arguments")?;
        let arguments: Vec<String> = arguments.trim_end_matches(");").split(", ").map(str::to_owned).collect();
        match self.functions.get(name) {
            Some(function) if function.ends && self.has_jumps => Ok(self.jump(name, function, &arguments)),
            _ => self.scope(name, &arguments, &results),
        }
    }

    /// A jump to a function that ends the kernel.
    fn jump(&mut self, name: &str, function: &Function, arguments: &[String]) -> String {
        let end = self.ends.iter().position(|known| known == name).unwrap_or_else(|| {
            self.ends.push(name.to_owned());
            self.ends.len() - 1
        });
        let parameters = function.parameters.iter().zip(arguments).enumerate();
        let given = parameters.map(|(i, (bits, from))| format!("mov.b{bits} {}, {from};\n", of_end(end, i)));
        given.collect::<String>() + &format!("bra {};", label(end))
    }

    /// The text with what its jumps lead to.
    fn with_ends(&mut self, text: String) -> Result<String> {
        if self.ends.is_empty() {
            return Ok(text);
        }
        let (mut registers, mut ends, functions) = (String::new(), String::new(), self.functions);
        // One may call another one.
        for end in 0.. {
            let Some(name) = self.ends.get(end).cloned() else { break };
            let bits = &functions[&name].parameters;
            let parameters: Vec<String> = (0..bits.len()).map(|i| of_end(end, i)).collect();
            registers.extend(bits.iter().zip(&parameters).map(|(bits, name)| format!(".reg .b{bits} {name};\n")));
            ends += &format!("{}:\n{}\n", label(end), self.scope(&name, &parameters, &[])?);
        }
        Ok(format!("{{\n{registers}{text}\nbra $END;\n{ends}$END:\n}}"))
    }

    /// The line with operands in the place of words of the context.
    fn with_context(&mut self, line: &str) -> Result<String> {
        ensure!(!line.contains("anon_"), "`{line}` reads a constant of the module");
        if self.is_call {
            return Ok(line.replace("[cushmem_context+", "[context+"));
        }
        let mut text = line.to_owned();
        while let Some(start) = text.find("ld.const.") {
            let rest = &text[start..];
            let end = start + rest.find(';').context("a load without an end")?;
            let load = &text[start + "ld.const.".len()..end];
            let (kind, rest) = load.split_once(' ').context("a load without a type")?;
            let (to, from) = rest.split_once(", ").context("a load without a source")?;
            let offset = from.trim_start_matches("[cushmem_context+").trim_end_matches(']');
            let word = (offset.parse().with_context(|| format!("the source of `{load}`"))?, bits(kind)?);
            let at = self.context.iter().position(|known| *known == word).unwrap_or_else(|| {
                self.context.push(word);
                self.context.len() - 1
            });
            let moved = format!("mov.b{} {}, {}", word.1, to.trim(), operand(self.first + at));
            text.replace_range(start..end, &moved);
        }
        Ok(text)
    }
}

/// The line with names for the arguments and the result of a call that only this scope has: `param0_2` instead of
/// `param0`. Otherwise those of a call would hide what the scope around it has.
fn own(line: &str, scope: usize) -> String {
    let mut text = String::new();
    let mut rest = line;
    while let Some(start) = ["param", "retval"].iter().filter_map(|name| rest.find(name)).min() {
        let is_own = !rest[..start].ends_with(['.', '_']);
        let name = rest[start..].find(|c: char| !c.is_alphabetic()).map_or(rest.len(), |end| start + end);
        let end = rest[name..].find(|c: char| !c.is_ascii_digit()).map_or(rest.len(), |end| name + end);
        text += &rest[..end];
        if is_own && end > name && scope > 1 {
            text += &format!("_{scope}");
        }
        rest = &rest[end..];
    }
    text + rest
}

/// The bits of a type such as `u32`.
fn bits(kind: &str) -> Result<u32> {
    kind[1..].parse().with_context(|| format!("the type {kind}"))
}

/// A store to the result of the function, or to an argument of a call.
fn store(rest: &str, results: &[String]) -> Result<String> {
    let (kind, rest) = rest.split_once(char::is_whitespace).context("a store without a type")?;
    let (to, from) = rest.trim().split_once(", ").context("a store without a source")?;
    let to = to.trim_start_matches('[').trim_end_matches(']');
    let to = match to.strip_prefix("func_retval0") {
        None => to,
        Some("") => results.first().context("the function has no result")?,
        Some("+8") => results.get(1).context("the result has one word")?,
        Some(other) => bail!("the result has nothing at {other}"),
    };
    // An instruction takes the low bits of a larger register.
    Ok(match (bits(kind)?, width(from)) {
        (stored, Some(wide)) if stored != wide => format!("cvt.u{stored}.u{wide} {to}, {from}"),
        _ => format!("mov.{kind} {to}, {from}"),
    })
}

/// A load of a parameter of the function, or of the result of a call.
fn load(rest: &str, name: &str, function: &Function, parameters: &[String]) -> Result<String> {
    let (kind, rest) = rest.split_once(char::is_whitespace).context("a load without a type")?;
    let (to, from) = rest.trim().split_once(", ").context("a load without a source")?;
    let from = from.trim_start_matches('[').trim_end_matches("];");
    let Some(index) = from.strip_prefix(name).and_then(|rest| rest.strip_prefix("_param_")) else {
        return Ok(format!("mov.{kind} {to}, {from};"));
    };
    let (index, offset) = index.split_once('+').unwrap_or((index, "0"));
    let number = |text: &str| text.parse::<usize>().with_context(|| format!("the parameter {from}"));
    let (index, offset) = (number(index)?, number(offset)?);
    let (source, loaded) = (&parameters[index], bits(kind)?);
    if offset > 0 {
        // A part of a parameter.
        let (wide, whole) = (width(to).context("a register of an unknown type")?, function.parameters[index]);
        let moved = format!("shr.u{whole} part, {source}, {};", 8 * offset);
        return Ok(format!("{{ .reg .b{whole} part; {moved} cvt.u{wide}.u{loaded} {to}, part; }}"));
    }
    Ok(match width(to).context("a register of an unknown type")? {
        wide if loaded == wide && loaded == function.parameters[index] => format!("mov.{kind} {to}, {source};"),
        // The instruction takes the low bits of a larger register.
        wide => format!("cvt.u{wide}.u{loaded} {to}, {source};"),
    })
}

/// The bits of a register, unless the text is a number.
fn width(register: &str) -> Option<u32> {
    [("%rd", 64), ("%rs", 16), ("%r", 32)]
        .into_iter()
        .find(|(kind, _)| register.starts_with(kind))
        .map(|(_, bits)| bits)
}
