//! Splits Rust source into code and comments, line by line, so that rules about one do not match the other. The tokens
//! come from `proc-macro2`; everything between them is comments and white space.

use proc_macro2::{LexError, TokenStream, TokenTree};
use std::ops::Range;

/// One line of a source file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// What the compiler reads, with strings emptied.
    pub code: String,
    /// The line's comments, including documentation.
    pub comment: String,
    /// Whether the line is inside an item that only tests compile.
    pub in_test: bool,
}

/// Cuts a file into lines; fails if it is not Rust.
pub fn lines(text: &str) -> Result<Vec<Line>, LexError> {
    let mut cutter = Cutter { text, at: 0, lines: vec![Line::default()] };
    cutter.tokens(text.parse()?);
    cutter.between(text.len());
    let mut lines = cutter.lines;
    mark_tests(&mut lines);
    Ok(lines)
}

struct Cutter<'a> {
    text: &'a str,
    /// The start of the text that has not been read yet.
    at: usize,
    lines: Vec<Line>,
}

impl Cutter<'_> {
    fn tokens(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Group(group) if !self.is_documentation(&group.span().byte_range()) => {
                    self.code(group.span_open().byte_range());
                    self.tokens(group.stream());
                    self.code(group.span_close().byte_range());
                }
                TokenTree::Literal(literal) => self.literal(literal.span().byte_range()),
                other => self.code(other.span().byte_range()),
            }
        }
    }

    /// To the compiler, a documentation comment is an attribute, and the spans of all of its tokens are those of the
    /// comment.
    fn is_documentation(&self, place: &Range<usize>) -> bool {
        ["//", "/*"].iter().any(|start| self.text[place.clone()].starts_with(start))
    }

    fn code(&mut self, place: Range<usize>) {
        if !self.is_documentation(&place) {
            self.between(place.start);
            let text = self.text;
            self.line().code.push_str(&text[place.clone()]);
            self.at = place.end;
        }
    }

    /// Keeps only the quotes of a string or character.
    fn literal(&mut self, place: Range<usize>) {
        let text = &self.text[place.clone()];
        if self.is_documentation(&place) || !text.ends_with(['"', '\'', '#']) {
            return self.code(place);
        }
        self.between(place.start);
        self.line().code.push_str(if text.ends_with('\'') { "''" } else { "\"\"" });
        self.lines.extend(text.matches('\n').map(|_| Line::default()));
        self.at = place.end;
    }

    /// Reads white space and comments up to `end`.
    fn between(&mut self, end: usize) {
        let text = self.text;
        for (index, part) in text[self.at..end].split('\n').enumerate() {
            if index > 0 {
                self.lines.push(Line::default());
            }
            let comment = part.trim();
            let space = part.len() - part.trim_start().len();
            self.line().code.push_str(&part[..space]);
            self.line().comment.push_str(comment);
        }
        self.at = end;
    }

    fn line(&mut self) -> &mut Line {
        self.lines.last_mut().expect("starts with one line")
    }
}

/// Marks the item after each `#[cfg(test)]`, up to its closing brace or semicolon.
fn mark_tests(lines: &mut [Line]) {
    let mut depth = 0_i32;
    let mut waiting = false;
    let mut ends_below = None;
    for line in lines {
        let code = line.code.trim();
        let attribute = code.starts_with("#[cfg(") && code.contains("test") && !code.contains("not(test");
        waiting |= ends_below.is_none() && attribute;
        line.in_test = waiting || ends_below.is_some();
        for c in line.code.chars() {
            match c {
                '{' => {
                    if std::mem::take(&mut waiting) {
                        ends_below = Some(depth);
                    }
                    depth += 1;
                }
                '}' => {
                    depth -= 1;
                    if ends_below == Some(depth) {
                        ends_below = None;
                    }
                }
                ';' => waiting = false,
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str) -> Vec<String> {
        lines(text).expect("Rust").into_iter().map(|l| l.code).collect()
    }

    #[test]
    fn strings_and_comments_are_not_code() {
        let text = "let a = \"unsafe { \\\" //\"; // unsafe {\nlet b = r#\"x \"unsafe\" \n\"#; /* { */ let c = '{';";
        assert_eq!(code(text), ["let a = \"\"; ", "let b = \"\"", "; let c = '';"]);
        let comments = |text| lines(text).expect("Rust").into_iter().map(|l| l.comment).collect::<Vec<_>>();
        assert_eq!(comments(text), ["// unsafe {", "", "/* { */"]);
        let documented = "//! a\n/** b\nc */\nfn f(/// d\n x: u8) {} // e";
        assert_eq!(comments(documented), ["//! a", "/** b", "c */", "/// d", "// e"]);
        assert_eq!(code(documented), ["", "", "", "fn f(", " x: u8) {} "]);
    }

    #[test]
    fn lifetimes_do_not_open_a_character() {
        assert_eq!(code("fn f<'a>(x: &'a str) { '\\'' }"), ["fn f<'a>(x: &'a str) { '' }"]);
    }

    #[test]
    fn test_items_are_marked_to_their_end() {
        let text = "a();\n#[cfg(test)]\nmod tests {\n  fn f() {}\n}\nb();\n#[cfg(test)]\nuse x;\nc();";
        let marks: Vec<bool> = lines(text).expect("Rust").into_iter().map(|l| l.in_test).collect();
        assert_eq!(marks, [false, true, true, true, true, false, true, true, false]);
    }
}
