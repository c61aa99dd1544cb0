//! Splits Rust source into code and comments, line by line, so that rules about one do not stumble over the other.

/// One line of a source file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// What the compiler reads; strings are emptied.
    pub code: String,
    /// Text of the line's comments.
    pub comment: String,
    /// Inside an item that only tests compile.
    pub in_test: bool,
}

/// A file, cut into lines.
pub fn lines(text: &str) -> Vec<Line> {
    let mut scanner = Scanner { rest: text.chars().collect(), at: 0, lines: vec![Line::default()] };
    scanner.scan();
    let mut lines = scanner.lines;
    mark_tests(&mut lines);
    lines
}

struct Scanner {
    rest: Vec<char>,
    at: usize,
    lines: Vec<Line>,
}

impl Scanner {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.rest.get(self.at + ahead).copied()
    }

    fn line(&mut self) -> &mut Line {
        self.lines.last_mut().expect("starts with one line")
    }

    /// Moves on by one character; `keep` says where it belongs.
    fn take(&mut self, keep: fn(&mut Line) -> Option<&mut String>) {
        let c = self.rest[self.at];
        self.at += 1;
        if c == '\n' {
            self.lines.push(Line::default());
        } else if let Some(text) = keep(self.line()) {
            text.push(c);
        }
    }

    fn scan(&mut self) {
        while let Some(c) = self.peek(0) {
            match (c, self.peek(1)) {
                ('/', Some('/')) => self.line_comment(),
                ('/', Some('*')) => self.block_comment(),
                ('"', _) => self.string(),
                ('r', Some('"' | '#')) if self.raw_string_starts() => self.raw_string(),
                ('\'', _) => self.char_or_lifetime(),
                _ => self.take(|l| Some(&mut l.code)),
            }
        }
    }

    fn line_comment(&mut self) {
        while self.peek(0).is_some_and(|c| c != '\n') {
            self.take(|l| Some(&mut l.comment));
        }
    }

    fn block_comment(&mut self) {
        let mut depth = 0;
        while self.peek(0).is_some() {
            match (self.peek(0), self.peek(1)) {
                (Some('/'), Some('*')) => depth += 1,
                (Some('*'), Some('/')) => depth -= 1,
                _ => {
                    self.take(|l| Some(&mut l.comment));
                    continue;
                }
            }
            self.at += 2;
            if depth == 0 {
                return;
            }
        }
    }

    fn string(&mut self) {
        self.take(|l| Some(&mut l.code));
        while let Some(c) = self.peek(0) {
            if c == '"' {
                return self.take(|l| Some(&mut l.code));
            }
            if c == '\\' && self.peek(1).is_some() {
                self.take(|_| None);
            }
            self.take(|_| None);
        }
    }

    fn raw_string_starts(&self) -> bool {
        let inside_a_word = self.at > 0 && (self.rest[self.at - 1].is_alphanumeric() || self.rest[self.at - 1] == '_');
        let quote = (1..).find(|&i| self.peek(i) != Some('#')).and_then(|i| self.peek(i));
        quote == Some('"') && (!inside_a_word || matches!(self.rest[self.at - 1], 'b' | 'c'))
    }

    fn raw_string(&mut self) {
        self.at += 1;
        let mut hashes = 0;
        while self.peek(0) == Some('#') {
            hashes += 1;
            self.at += 1;
        }
        self.at += 1;
        while let Some(c) = self.peek(0) {
            let ends = c == '"' && (1..=hashes).all(|i| self.peek(i) == Some('#'));
            self.take(|_| None);
            if ends {
                self.at += hashes;
                return self.line().code.push_str("\"\"");
            }
        }
    }

    fn char_or_lifetime(&mut self) {
        let is_char = self.peek(1) == Some('\\') || self.peek(2) == Some('\'');
        self.take(|l| Some(&mut l.code));
        if !is_char {
            return;
        }
        while let Some(c) = self.peek(0) {
            if c == '\'' {
                return self.take(|l| Some(&mut l.code));
            }
            if c == '\\' {
                self.take(|_| None);
            }
            self.take(|_| None);
        }
    }
}

/// Marks the item behind each `#[cfg(test)]`, up to its closing brace or semicolon.
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
        lines(text).into_iter().map(|l| l.code).collect()
    }

    #[test]
    fn strings_and_comments_are_not_code() {
        let text = "let a = \"unsafe { \\\" //\"; // unsafe {\nlet b = r#\"x \"unsafe\" \n\"#; /* { */ let c = '{';";
        assert_eq!(code(text), ["let a = \"\"; ", "let b = ", "\"\";  let c = '';"]);
        assert_eq!(lines(text)[0].comment, "// unsafe {");
    }

    #[test]
    fn lifetimes_do_not_open_a_character() {
        assert_eq!(code("fn f<'a>(x: &'a str) { '\\'' }"), ["fn f<'a>(x: &'a str) { '' }"]);
    }

    #[test]
    fn test_items_are_marked_to_their_end() {
        let text = "a();\n#[cfg(test)]\nmod tests {\n  fn f() {}\n}\nb();\n#[cfg(test)]\nuse x;\nc();";
        let marks: Vec<bool> = lines(text).into_iter().map(|l| l.in_test).collect();
        assert_eq!(marks, [false, true, true, true, true, false, true, true, false]);
    }
}
