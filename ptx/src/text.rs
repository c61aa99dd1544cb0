//! Reads PTX just well enough to answer questions about it: its statements, the function that contains each of them,
//! and whether a statement was written by hand in `asm!`.

/// One statement: an instruction, or a directive such as a function's head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// The line in which it starts, counted from 1.
    pub line: usize,
    /// The function or kernel that contains it; for a function's head, the name of that function.
    pub function: Option<String>,
    /// Whether it comes from an `asm!` block.
    pub in_asm: bool,
    /// Whether it is a function's head with a body after it.
    pub opens_body: bool,
    /// The text in one line, without predicate, comments and semicolon.
    pub text: String,
}

impl Statement {
    /// Returns the instruction with its modifiers, such as `st.release.sys.global.u64`, or the directive.
    pub fn opcode(&self) -> &str {
        self.text.split_whitespace().next().unwrap_or("")
    }

    /// Returns the parts of the opcode: `st`, `release`, `sys`, `global`, `u64`. Empty for a directive.
    pub fn parts(&self) -> Vec<&str> {
        if self.text.starts_with('.') { Vec::new() } else { self.opcode().split('.').collect() }
    }

    /// Returns the function's name if this is the head or the declaration of a function.
    pub fn declared_function(&self) -> Option<&str> {
        let (_, rest) = [".entry", ".func"].iter().find_map(|d| self.text.split_once(d))?;
        let rest = rest.trim_start();
        // A function's result stands in parentheses before its name.
        let rest = if rest.starts_with('(') { rest.split_once(')')?.1 } else { rest };
        rest.trim_start().split(|c: char| c.is_whitespace() || c == '(').next()
    }

    /// Returns the function that a direct call names.
    pub fn called_function(&self) -> Option<&str> {
        if self.parts().first() != Some(&"call") {
            return None;
        }
        let rest = self.text[self.opcode().len()..].trim_start();
        let rest = if rest.starts_with('(') { rest.split_once(')')?.1 } else { rest };
        let name = rest.trim_start_matches([',', ' ', '\t']).split([',', ' ', '(']).next()?;
        (!name.starts_with('%')).then_some(name)
    }
}

/// Directives that end at the end of their line instead of with a semicolon.
const LINE_DIRECTIVES: [&str; 5] = [".version", ".target", ".address_size", ".loc", ".file"];

/// Returns all statements of a PTX module in order.
pub fn statements(ptx: &str) -> Vec<Statement> {
    let mut reader = Reader::default();
    for (index, line) in ptx.lines().enumerate() {
        reader.read_line(index + 1, line);
    }
    reader.found
}

/// Returns the statements of one function or kernel, without its head.
pub fn body_of<'a>(statements: &'a [Statement], function: &str) -> Vec<&'a Statement> {
    statements.iter().filter(|s| s.function.as_deref() == Some(function) && !s.opens_body).collect()
}

#[derive(Default)]
struct Reader {
    found: Vec<Statement>,
    pending: String,
    pending_line: usize,
    function: Option<String>,
    in_asm: bool,
    depth: u32,
}

impl Reader {
    fn read_line(&mut self, number: usize, line: &str) {
        let code = match line.split_once("//") {
            Some((code, comment)) => {
                match comment.trim() {
                    "begin inline asm" => self.in_asm = true,
                    "end inline asm" => self.in_asm = false,
                    _ => {}
                }
                code
            }
            None => line,
        };
        for c in code.chars() {
            self.read_char(number, c);
        }
        let pending = self.pending.trim();
        if pending.ends_with(':') {
            self.pending.clear();
        } else if LINE_DIRECTIVES.iter().any(|d| pending.starts_with(d)) {
            self.finish(false);
        } else if !pending.is_empty() {
            self.pending.push(' ');
        }
    }

    fn read_char(&mut self, number: usize, c: char) {
        let empty = self.pending.trim().is_empty();
        match c {
            ';' => self.finish(false),
            '{' if empty => self.depth += 1,
            '{' if self.head_is_pending() => {
                self.finish(true);
                self.depth += 1;
            }
            '}' if empty => {
                self.depth = self.depth.saturating_sub(1);
                if self.depth == 0 {
                    self.function = None;
                }
            }
            _ => {
                if empty {
                    self.pending_line = number;
                }
                self.pending.push(if c == '\t' { ' ' } else { c });
            }
        }
    }

    fn head_is_pending(&self) -> bool {
        let pending = self.pending.trim();
        pending.starts_with('.') && (pending.contains(".entry ") || pending.contains(".func "))
    }

    fn finish(&mut self, opens_body: bool) {
        let pending = std::mem::take(&mut self.pending);
        let mut text = pending.trim();
        while let Some(rest) = text.strip_prefix('$').and_then(|t| t.split_once(": ")).map(|(_, rest)| rest) {
            text = rest.trim_start();
        }
        if text.starts_with('@') {
            text = text.split_once(char::is_whitespace).map_or("", |(_, rest)| rest.trim_start());
        }
        if text.is_empty() {
            return;
        }
        let mut statement = Statement {
            line: self.pending_line,
            function: self.function.clone(),
            in_asm: self.in_asm,
            opens_body,
            text: text.to_owned(),
        };
        if opens_body {
            self.function = statement.declared_function().map(str::to_owned);
            statement.function = self.function.clone();
        }
        self.found.push(statement);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAMPLE: &str = "\
.version 7.8
.target sm_75
.extern .func  (.param .b32 func_retval0) vprintf
(
	.param .b64 vprintf_param_0
)
;
.visible .entry k(
	.param .u64 k_param_0
)
{
	.reg .b32 	%r<3>;
$L__BB0_1:
	@%p1 bra 	$L__BB0_1;
	// begin inline asm
	{ .reg .pred p; setp.eq.u32 p, %r1, 0; st.relaxed.sys.global.v4.u32 [%rd1], {%r1, %r2, %r1, %r2}; }
	// end inline asm
	{ // callseq 0, 0
	call.uni (retval0), 
	vprintf, 
	(
	param0
	);
	} // callseq 0
	ret;
}
.visible .global .align 4 .u32 g;
";

    #[test]
    fn splits_statements_and_knows_where_they_are() {
        let all = statements(SAMPLE);
        let opcodes: Vec<_> = body_of(&all, "k").iter().map(|s| s.opcode()).collect();
        assert_eq!(opcodes, [".reg", "bra", ".reg", "setp.eq.u32", "st.relaxed.sys.global.v4.u32", "call.uni", "ret"]);
        let store = all.iter().find(|s| s.text.starts_with("st.")).expect("the store");
        assert!(store.in_asm && store.line == 16 && store.text.ends_with("{%r1, %r2, %r1, %r2}"));
        assert_eq!(all.last().map(|s| (s.function.as_deref(), s.in_asm)), Some((None, false)));
    }

    #[test]
    fn finds_names_of_functions() {
        let all = statements(SAMPLE);
        let heads: Vec<_> = all.iter().filter_map(|s| s.declared_function().map(|f| (f, s.opens_body))).collect();
        assert_eq!(heads, [("vprintf", false), ("k", true)]);
        assert_eq!(all.iter().find_map(|s| s.called_function()), Some("vprintf"));
    }
}
