//! Lines about mistakes: what is in them, and who prints them.

use std::time::Duration;

/// How long another PE gives PE 0, whose process may start later, on a busy machine.
const FOR_PE_0: Duration = Duration::from_secs(5);

/// The text with control characters escaped, so that it stays on its line and cannot control a terminal.
pub fn printable(text: &str) -> String {
    let shown = |c: char| if c.is_control() { format!("\\x{:02x}", c as u32) } else { c.to_string() };
    text.chars().map(shown).collect()
}

/// To be called before a line about a mistake that all PEs find before they know each other, such as a wrong option or
/// variable. PE 0 prints it and ends, and with it the job. Another PE waits here until then. If PE 0 has not ended,
/// only this PE has found the mistake, and goes on to print it. A process that is no PE of `shmemrun` does not wait.
pub fn let_pe_0_speak() {
    if crate::PE.value().is_some_and(|pe| pe != "0") {
        std::thread::sleep(FOR_PE_0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_control_a_terminal_is_shown_instead() {
        assert_eq!(printable("a\u{1b}[31m\n\u{9b}\u{7f}ü"), r"a\x1b[31m\x0a\x9b\x7fü");
    }
}
