//! Takes some kernels out of a PTX module, with everything that they use.

use anyhow::{Result, bail};
use std::collections::HashSet;

/// The directives that stand in one line without a semicolon.
const LINES: [&str; 3] = [".version", ".target", ".address_size"];

/// A declaration, a variable or a function, with the comments before it.
struct Item<'a> {
    text: &'a str,
    /// The text without comments.
    code: String,
    /// `None` for a directive.
    name: Option<&'a str>,
    /// Everybody keeps it: directives, and variables that others may look for.
    is_kept: bool,
    is_kernel: bool,
}

/// Returns the module without the kernels that are not in the list and without what only those use. The text of what
/// remains is the same, in the same order.
pub fn part(ptx: &str, kernels: &[String]) -> Result<String> {
    let items = items(ptx);
    let has = |kernel: &str| items.iter().any(|item| item.is_kernel && item.name == Some(kernel));
    if let Some(missing) = kernels.iter().find(|kernel| !has(kernel)) {
        bail!("committed: there is no kernel {missing}");
    }
    let names: HashSet<&str> = items.iter().filter_map(|item| item.name).collect();
    let is_listed = |name: &str| kernels.iter().any(|kernel| kernel == name);
    let mut reached: HashSet<&str> = HashSet::new();
    let mut new: Vec<&str> = kernels.iter().map(String::as_str).collect();
    new.extend(items.iter().filter(|item| item.is_kept).filter_map(|item| item.name));
    while let Some(name) = new.pop() {
        if reached.insert(name) {
            let texts = items.iter().filter(|item| item.name == Some(name)).map(|item| item.code.as_str());
            new.extend(texts.flat_map(identifiers).filter(|word| names.contains(word)));
        }
    }
    let is_wanted = |item: &&Item<'_>| match item.name {
        None => true,
        Some(name) if item.is_kernel => is_listed(name),
        Some(name) => reached.contains(name),
    };
    Ok(items.iter().filter(is_wanted).map(|item| item.text).collect())
}

/// Cuts a module into its items. What follows the last one belongs to it.
fn items(ptx: &str) -> Vec<Item<'_>> {
    let (mut items, mut start, mut at, mut depth) = (Vec::new(), 0, 0, 0_i32);
    let mut code = String::new();
    for line in ptx.split_inclusive('\n') {
        at += line.len();
        let text = line.split("//").next().unwrap_or_default().trim();
        depth += text.chars().map(|c| i32::from("{(".contains(c)) - i32::from("})".contains(c))).sum::<i32>();
        code.push_str(text);
        code.push(' ');
        let is_line = LINES.iter().any(|directive| text.starts_with(directive));
        if depth == 0 && (is_line || text.ends_with([';', '}'])) {
            items.push(item(&ptx[start..at], std::mem::take(&mut code).trim().to_owned()));
            start = at;
        }
    }
    if let Some(last) = items.last_mut() {
        last.text = &ptx[ptx.len() - last.text.len() - (at - start)..];
    }
    items
}

fn item(text: &str, code: String) -> Item<'_> {
    let head = code.split(['{', '=']).next().unwrap_or_default();
    let is_kernel = head.contains(".entry ");
    let is_function = is_kernel || head.contains(".func ");
    // The name of a function stands before its parameters, that of a variable at the end.
    let name = if is_function {
        let after =
            head.split_once(".entry ").or_else(|| head.split_once(".func ")).map_or("", |(_, rest)| rest.trim());
        // The result of a function stands in parentheses before its name.
        let after = if after.starts_with('(') { after.split_once(')').map_or("", |(_, rest)| rest) } else { after };
        identifiers(after).next()
    } else if LINES.iter().any(|directive| head.starts_with(directive)) {
        None
    } else {
        let head = head.split('[').next().unwrap_or_default();
        identifiers(head).last()
    };
    // The same characters in the text that lives longer.
    let name = name.and_then(|name| text.find(name).map(|at| &text[at..at + name.len()]));
    let is_kept = name.is_none() || (!is_function && head.contains(".visible "));
    Item { text, code, name, is_kept, is_kernel }
}

/// The words of which names may consist.
fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '$')).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODULE: &str = "\
// By hand.
//
.version 7.8
.target sm_75
.address_size 64

.visible .global .align 8 .u64 cushmem_source = 0x1U;
.shared .align 8 .b64 words[4];
.global .align 1 .b8 text_of_b[2] = {98, 0};

\t// .globl\thelp
.visible .func helper
(
\t.param .b64 helper_param_0
)
;
.func fail
(
)
.noreturn;

.visible .func  (.param .b32 func_retval0) help(
\t.param .b64 help_param_0
)
{
\tcall.uni fail, ();
\tret;
}
.visible .func helper(
\t.param .b64 helper_param_0
)
{
\tst.shared.b32 \t[words], 1;
}
.func fail(
)
.noreturn
{
\ttrap;
}
\t// .globl\ta
.visible .entry a(
\t.param .u64 a_param_0
)
.maxntid 256, 1, 1
{
\t{ // callseq 0, 0
\tcall.uni (retval0), help, (param0);
\t} // callseq 0
}
\t// .globl\tab
.visible .entry ab(
)
{
\tmov.b64 \t%rd1, text_of_b;
\tcall.uni helper, (param0);

}
// The end.
";

    fn of(kernels: &[&str]) -> Result<String> {
        part(MODULE, &kernels.iter().map(|kernel| (*kernel).to_owned()).collect::<Vec<_>>())
    }

    /// Catches a part that lacks something or keeps something needless, and texts that change.
    #[test]
    fn a_part_holds_what_its_kernels_use_and_nothing_else() {
        let names = |text: &str| -> Vec<String> {
            items(text).iter().filter_map(|item| item.name).map(str::to_owned).collect()
        };
        let all = names(MODULE);
        assert_eq!(
            all,
            ["cushmem_source", "words", "text_of_b", "helper", "fail", "help", "helper", "fail", "a", "ab"]
        );
        let a = of(&["a"]).expect("it is there");
        assert_eq!(names(&a), ["cushmem_source", "fail", "help", "fail", "a"]);
        assert!(a.starts_with("// By hand.\n//\n.version 7.8\n") && a.contains(".maxntid 256"), "{a}");
        let ab = of(&["ab"]).expect("it is there");
        assert_eq!(names(&ab), ["cushmem_source", "words", "text_of_b", "helper", "helper", "ab"]);
        assert_eq!(of(&["ab", "a"]).expect("they are there"), MODULE);
    }

    #[test]
    fn kernels_that_do_not_exist_are_named() {
        let error = of(&["a", "b"]).expect_err("there is no b").to_string();
        assert_eq!(error, "committed: there is no kernel b");
    }
}
