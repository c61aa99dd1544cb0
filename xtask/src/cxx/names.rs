//! Gives the header's internal names a prefix. A program may define macros before it includes `shmem.h`, also ones that
//! are called `word`, `bits` or `dest`.

use std::collections::BTreeSet;

const PREFIX: &str = "shmem_impl_";

/// Words of C++ and its preprocessor, types of the standard library, and names of CUDA: the last one is a function of
/// its groups.
const KEPT: &str = "_Pragma alignas asm bool break case char class const constexpr continue default define defined do double \
    elif else endif enum error extern false float for goto if ifdef ifndef inline int long namespace nullptr operator \
    pragma reinterpret_cast return short signed sizeof static static_assert struct switch template this true typedef typename undef \
    union unsigned using void volatile while \
    size_t ptrdiff_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t atexit \
    threadIdx blockIdx blockDim gridDim warpSize sync";

/// What the names of this library, of CUDA and of compilers begin with.
const PUBLIC: [&str; 7] = ["shmem", "SHMEM", "cushmem", "__", "cuda", "CUDA", "nv_"];

/// The text with a prefix before each name that is nobody else's. Comments and strings stay as they are.
///
/// Names next to `##` are parts of names: only the first part gets a prefix. The compiler does not expand parameters of
/// a macro, nor arguments next to `##`, so they have none.
pub fn hidden(text: &str) -> String {
    let mut hiding = Hiding { kept: KEPT.split_whitespace().collect(), out: String::with_capacity(2 * text.len()) };
    let mut rest = text;
    while !rest.is_empty() {
        let end = logical_line(rest);
        hiding.line(&rest[..end]);
        rest = &rest[end..];
    }
    hiding.out
}

/// The length of the first line, with those that it continues on, and all of a comment that begins in it.
fn logical_line(text: &str) -> usize {
    let mut at = 0;
    loop {
        let rest = &text[at..];
        let end = rest.find('\n').map_or(rest.len(), |end| end + 1);
        let line = &rest[..end];
        if line.trim_start().starts_with("/*") && !line.contains("*/") {
            return at + rest.find("*/\n").map_or(rest.len(), |end| end + 3);
        }
        at += end;
        if !line.ends_with("\\\n") || at == text.len() {
            return at;
        }
    }
}

struct Hiding<'a> {
    kept: BTreeSet<&'a str>,
    out: String,
}

impl Hiding<'_> {
    fn line(&mut self, line: &str) {
        let code = line.trim_start();
        if code.starts_with("#include") {
            self.out += line;
            return;
        }
        // What a macro is given, and what its definition calls it, is as it is.
        let mut own = BTreeSet::new();
        let is_definition = code.starts_with("#define ");
        let mut start = 0;
        if code.starts_with("SHMEM_IMPL_") || is_definition {
            let name = if is_definition { "#define ".len() } else { 0 };
            let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
            let open = code[name..].find(|c| !is_word(c)).map_or(code.len(), |end| name + end);
            if let Some(list) = code[open..].strip_prefix('(') {
                let list = &list[..list.find(')').unwrap_or(list.len())];
                own = list.split(',').map(str::trim).collect();
                start = line.len() - code.len() + open + 1 + list.len();
            }
        }
        self.out += &line[..start];
        let mut rest = &line[start..];
        let mut before = "";
        while let Some(first) = rest.chars().next() {
            let token = &rest[..token(rest)];
            rest = &rest[token.len()..];
            let is_name = first.is_ascii_alphabetic() || first == '_';
            let is_later_part = before == "##";
            let is_first_part = rest.trim_start().starts_with("##");
            let is_own = own.contains(token);
            if is_name && !is_later_part && !self.is_kept(token) && (!is_own || is_first_part) {
                self.out += PREFIX;
                self.out += if is_own { "##" } else { "" };
            }
            self.out += token;
            if !token.trim().is_empty() {
                before = token;
            }
        }
    }

    fn is_kept(&self, name: &str) -> bool {
        self.kept.contains(name) || PUBLIC.iter().any(|start| name.starts_with(start))
    }
}

/// The length of the first token: a name, a number, a string, a comment, `##`, or one character.
fn token(text: &str) -> usize {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let first = text.chars().next().unwrap_or_default();
    match first {
        _ if word(first) => text.find(|c| !word(c)).unwrap_or(text.len()),
        '"' => {
            let mut is_escaped = false;
            let end = text[1..].find(|c| {
                let ends = c == '"' && !is_escaped;
                is_escaped = c == '\\' && !is_escaped;
                ends
            });
            end.map_or(text.len(), |end| end + 2)
        }
        '/' if text.starts_with("/*") => text.find("*/").map_or(text.len(), |end| end + 2),
        '#' if text.starts_with("##") => 2,
        _ => first.len_utf8(),
    }
}

#[cfg(test)]
mod tests {
    use super::hidden;

    #[test]
    fn internal_names_get_a_prefix() {
        let text = r#"/* Bits of a word,
   in a word. */
#include <stddef.h>
static u64 bits(const unsigned *word, size_t n) { asm("mov word, %0;" : "=&l"(result) : "r"(word)); return shmem_n_pes() + 0xffu; } /* word */
"#;
        let expected = r#"/* Bits of a word,
   in a word. */
#include <stddef.h>
static shmem_impl_u64 shmem_impl_bits(const unsigned *shmem_impl_word, size_t shmem_impl_n) { asm("mov word, %0;" : "=&l"(shmem_impl_result) : "r"(shmem_impl_word)); return shmem_n_pes() + 0xffu; } /* word */
"#;
        assert_eq!(hidden(text), expected);
    }

    #[test]
    fn a_name_that_a_macro_makes_has_one_prefix() {
        let text = "#define SHMEM_IMPL_WAIT(name, size) \\\n    wait_##name(size, bits); name##_32(name)\nSHMEM_IMPL_WAIT(u64, 8)\n";
        let expected = "#define SHMEM_IMPL_WAIT(name, size) \\\n    shmem_impl_wait_##name(size, shmem_impl_bits); shmem_impl_##name##_32(name)\nSHMEM_IMPL_WAIT(u64, 8)\n";
        assert_eq!(hidden(text), expected);
    }
}
