//! Finds out which module of a crate names which others, from the tokens of its files.
//!
//! Only paths that start with `crate`, `super` or `self` are examined: anything that a module can name in another way
//! is in its own room, or outside the crate. A name that a `lib.rs` or `mod.rs` re-exports stands for the module that
//! it comes from.

use super::File;
use anyhow::{Result, anyhow};
use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Segments from the crate's root, which is the empty path.
pub type Module = Vec<String>;

/// One module names another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Arrow {
    /// The file of the module that names the other.
    pub file: PathBuf,
    /// The line where it does.
    pub line: usize,
    /// The module that the file defines.
    pub from: Module,
    /// The module that it names.
    pub to: Module,
}

/// The arrows between the files below `source`. Arrows from a file to itself, and from code that only tests compile,
/// are omitted.
pub fn arrows<'a>(source: &Path, files: impl IntoIterator<Item = &'a File>) -> Result<Vec<Arrow>> {
    let mut graph = Graph::default();
    let mut named = Vec::new();
    for file in files.into_iter().filter(|f| f.is_rust() && !f.is_test()) {
        let Ok(relative) = file.path.strip_prefix(source) else { continue };
        let tokens: TokenStream = file.text.parse().map_err(|e| anyhow!("{}: {e}", file.path.display()))?;
        let module = module_of(relative);
        let mut reader = Reader { module: module.clone(), found: Vec::new() };
        reader.read(tokens);
        graph.modules.insert(module.clone());
        named.push((file, module, reader.found));
    }
    for (_, module, found) in &named {
        let imports = found.iter().filter(|n| n.import && n.module == *module);
        graph.imports.extend(imports.map(|n| ((module.clone(), n.name.clone()), n.path.clone())));
    }
    let mut arrows = BTreeSet::new();
    for (file, from, found) in &named {
        for name in found.iter().filter(|n| n.absolute) {
            let Some(to) = graph.resolve(&name.path) else { continue };
            if to != *from {
                arrows.insert(Arrow { file: file.path.clone(), line: name.line, from: from.clone(), to });
            }
        }
    }
    Ok(arrows.into_iter().collect())
}

fn module_of(file: &Path) -> Module {
    let mut parts: Module = file.with_extension("").iter().map(|p| p.to_string_lossy().into_owned()).collect();
    if matches!(parts.last().map(String::as_str), Some("mod" | "lib")) {
        parts.pop();
    }
    parts
}

/// Re-exports of re-exports are followed this far; more would mean a cycle.
const MAX_HOPS: usize = 8;

#[derive(Default)]
struct Graph {
    modules: BTreeSet<Module>,
    /// The paths that a module's imported names stand for.
    imports: BTreeMap<(Module, String), Vec<String>>,
}

impl Graph {
    /// The module that defines what the path names; `None` if another crate defines it.
    fn resolve(&self, path: &[String]) -> Option<Module> {
        let mut path = path.to_vec();
        for _ in 0..MAX_HOPS {
            let known = (0..=path.len()).rev().find(|&n| self.modules.contains(&path[..n])).unwrap_or(0);
            let module = path[..known].to_vec();
            let Some(imported) = path.get(known).and_then(|name| self.imports.get(&(module.clone(), name.clone())))
            else {
                return Some(module);
            };
            let rest = path.split_off(known + 1);
            path = imported.clone();
            if let Some(relative) = path.first().and_then(|first| first.strip_prefix(RELATIVE)) {
                let mut below = module;
                below.push(relative.to_owned());
                if !self.modules.contains(&below) {
                    return None;
                }
                path.splice(..1, below);
            }
            path.extend(rest);
        }
        None
    }
}

/// Marks the first segment of a path that has no explicit start: it names a module below, or another crate.
const RELATIVE: char = '?';

/// A path in the source.
struct Named {
    line: usize,
    /// The module that contains the path, with `mod` blocks included.
    module: Module,
    /// From the crate's root, or starting with [`RELATIVE`].
    path: Vec<String>,
    absolute: bool,
    import: bool,
    /// Its name from here on.
    name: String,
}

struct Reader {
    module: Module,
    found: Vec<Named>,
}

impl Reader {
    fn read(&mut self, tokens: TokenStream) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        while at < tokens.len() {
            at = self.read_at(&tokens, at);
        }
    }

    /// Reads the item at `at`, and returns where the next one starts.
    fn read_at(&mut self, tokens: &[TokenTree], at: usize) -> usize {
        match (&tokens[at], tokens.get(at + 1)) {
            (TokenTree::Punct(p), Some(TokenTree::Group(g))) if p.as_char() == '#' && only_tests(&g.to_string()) => {
                end_of_item(tokens, at + 2)
            }
            (TokenTree::Ident(word), Some(TokenTree::Ident(name))) if word == "mod" => match tokens.get(at + 2) {
                Some(TokenTree::Group(body)) => {
                    self.module.push(name.to_string());
                    self.read(body.stream());
                    self.module.pop();
                    at + 3
                }
                _ => at + 2,
            },
            (TokenTree::Ident(word), Some(_)) if word == "use" => self.path(tokens, at + 1, None, true),
            (TokenTree::Ident(word), Some(_)) if starts_path(word) && colons(tokens, at + 1) => {
                self.path(tokens, at, None, false)
            }
            // `pub(in path)` says who may see an item, not what the item uses.
            (TokenTree::Group(group), _) => {
                let visibility = group.delimiter() == Delimiter::Parenthesis && begins_with_in(group.stream());
                if !visibility {
                    self.read(group.stream());
                }
                at + 1
            }
            _ => at + 1,
        }
    }

    /// Reads a path, with all of its branches if it belongs to a `use`, and returns where the next token starts. `path`
    /// is the part that has been read already, if any.
    fn path(&mut self, tokens: &[TokenTree], mut at: usize, mut path: Option<Vec<String>>, import: bool) -> usize {
        if colons(tokens, at) {
            // `::name` is a crate.
            return at + 2;
        }
        loop {
            match tokens.get(at) {
                Some(TokenTree::Group(group)) if import && group.delimiter() == Delimiter::Brace => {
                    let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                    let is_comma = |t: &TokenTree| matches!(t, TokenTree::Punct(p) if p.as_char() == ',');
                    for part in inner.split(is_comma).filter(|part| !part.is_empty()) {
                        self.path(part, 0, path.clone(), true);
                    }
                    return at + 1;
                }
                Some(TokenTree::Ident(word)) => path = Some(self.segment(path, &word.to_string())),
                Some(TokenTree::Punct(star)) if import && star.as_char() == '*' => {
                    path.get_or_insert_default().push("*".into());
                }
                _ => return at,
            }
            if !colons(tokens, at + 1) || is(tokens.get(at + 3), '<') {
                break;
            }
            at += 3;
        }
        let alias = match (tokens.get(at + 1), tokens.get(at + 2)) {
            (Some(TokenTree::Ident(word)), Some(TokenTree::Ident(name))) if word == "as" => Some(name.to_string()),
            _ => None,
        };
        let path = path.unwrap_or_default();
        let absolute = !path.first().is_some_and(|p| p.starts_with(RELATIVE));
        let name = alias.or_else(|| path.last().cloned()).unwrap_or_default();
        let line = tokens[at].span().start().line;
        self.found.push(Named { line, module: self.module.clone(), path, absolute, import, name });
        at + 1
    }

    /// Adds a segment. A word that says where the path starts is replaced by that place.
    fn segment(&self, path: Option<Vec<String>>, word: &str) -> Vec<String> {
        let mut path = match (path, word) {
            (None, "crate") => return Vec::new(),
            (None, "self") => return self.module.clone(),
            (None, "super") => self.module.clone(),
            (None, name) => return vec![format!("{RELATIVE}{name}")],
            (Some(path), _) => path,
        };
        match word {
            "super" => drop(path.pop()),
            // The path before it.
            "self" => {}
            name => path.push(name.to_owned()),
        }
        path
    }
}

fn starts_path(word: &Ident) -> bool {
    word == "crate" || word == "super" || word == "self"
}

fn colons(tokens: &[TokenTree], at: usize) -> bool {
    is(tokens.get(at), ':') && is(tokens.get(at + 1), ':')
}

fn is(token: Option<&TokenTree>, sign: char) -> bool {
    matches!(token, Some(TokenTree::Punct(p)) if p.as_char() == sign)
}

fn begins_with_in(tokens: TokenStream) -> bool {
    matches!(tokens.into_iter().next(), Some(TokenTree::Ident(word)) if word == "in")
}

/// Whether an attribute says that only tests compile its item.
fn only_tests(attribute: &str) -> bool {
    let words: Vec<&str> = attribute.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).collect();
    words.first() == Some(&"cfg") && words.contains(&"test") && !words.contains(&"not")
}

/// The position after the body or the semicolon that ends the item.
fn end_of_item(tokens: &[TokenTree], at: usize) -> usize {
    let ends = |t: &TokenTree| match t {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        TokenTree::Punct(p) => p.as_char() == ';',
        _ => false,
    };
    tokens[at..].iter().position(ends).map_or(tokens.len(), |n| at + n + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arrows_of(files: &[(&str, &str)]) -> Vec<String> {
        let file = |(path, text): &(&str, &str)| File { path: Path::new("src").join(path), text: (*text).into() };
        let files: Vec<File> = files.iter().map(file).collect();
        let found = arrows(Path::new("src"), &files).expect("Rust");
        found.iter().map(|a| format!("{}:{} {}", a.from.join("::"), a.line, a.to.join("::"))).collect()
    }

    #[test]
    fn paths_of_all_forms_are_found() {
        let a = "use crate::b;\nuse crate::{b::{self, deep::X as Y}, c};\nfn f() { super::c::g::<u8>(); }\npub(crate) fn h() {}";
        let files = [("lib.rs", ""), ("a.rs", a), ("b/mod.rs", ""), ("b/deep.rs", "use super::*;"), ("c.rs", "")];
        assert_eq!(arrows_of(&files), ["a:1 b", "a:2 b", "a:2 b::deep", "a:2 c", "a:3 c", "b::deep:1 b"]);
    }

    #[test]
    fn names_lead_to_where_they_are_defined() {
        let root = "mod error;\nmod room;\npub use error::{Error, Failed as Oops};\npub use other_crate::Foreign;\npub use room::Thing;";
        let room = "mod thing;\npub use thing::Thing;";
        let user = "use crate::Error;\nuse crate::Oops;\nuse crate::Foreign;\nuse crate::room::Thing;\nuse crate::Thing;\nuse crate::own;";
        let files =
            [("lib.rs", root), ("error.rs", ""), ("room/mod.rs", room), ("room/thing.rs", ""), ("user.rs", user)];
        let expected = ["user:1 error", "user:2 error", "user:4 room::thing", "user:5 room::thing", "user:6 "];
        assert_eq!(arrows_of(&files), expected);
    }

    #[test]
    fn tests_comments_and_visibility_do_not_count() {
        let a = "// crate::b::x\nconst A: &str = \"crate::b\";\npub(in crate::b) fn f() {}\n#[cfg(test)]\nmod tests { use crate::b; }\n\
            #[cfg(not(test))]\nuse crate::c;\n#[cfg(test)]\nuse crate::b;\nmod inner { use super::super::d; use super::f; }";
        let files =
            [("lib.rs", ""), ("a.rs", a), ("b.rs", ""), ("c.rs", ""), ("d.rs", ""), ("b_tests.rs", "use crate::a;")];
        assert_eq!(arrows_of(&files), ["a:7 c", "a:10 d"]);
    }
}
