//! S-expressions: text to a flat tree, without recursion.

use super::parse::ParseError;

/// A node of the tree: an atom's text or a list's children.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Node(u32);

#[derive(Debug)]
enum Kind<'a> {
    /// Bars removed when quoted.
    Atom {
        text: &'a str,
        quoted: bool,
    },
    List {
        first: u32,
        count: u32,
    },
}

/// The expressions of a text, and where each began.
#[derive(Debug)]
pub(crate) struct Tree<'a> {
    nodes: Vec<(Kind<'a>, usize)>,
    children: Vec<Node>,
    pub(crate) roots: Vec<Node>,
}

impl<'a> Tree<'a> {
    pub(crate) fn parse(text: &'a str) -> Result<Tree<'a>, ParseError> {
        let mut tree = Tree { nodes: Vec::new(), children: Vec::new(), roots: Vec::new() };
        // Open lists: where they began, and their children so far.
        let mut open: Vec<(usize, Vec<Node>)> = Vec::new();
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            let start = at;
            let node = match bytes[at] {
                b' ' | b'\t' | b'\r' | b'\n' => {
                    at += 1;
                    continue;
                }
                b';' => {
                    at += bytes[at..].iter().position(|&b| b == b'\n').unwrap_or(bytes.len() - at);
                    continue;
                }
                b'(' => {
                    at += 1;
                    open.push((start, Vec::new()));
                    continue;
                }
                b')' => {
                    at += 1;
                    let (start, items) = open.pop().ok_or_else(|| ParseError::new(start, "unmatched )"))?;
                    let (first, count) = (tree.children.len() as u32, items.len() as u32);
                    tree.children.extend(items);
                    tree.push(Kind::List { first, count }, start)
                }
                b'|' => {
                    let len = text[at + 1..].find('|').ok_or_else(|| ParseError::new(at, "unclosed |"))?;
                    at += len + 2;
                    tree.push(Kind::Atom { text: &text[start + 1..at - 1], quoted: true }, start)
                }
                b'"' => {
                    at = string_end(text, at)?;
                    tree.push(Kind::Atom { text: &text[start..at], quoted: false }, start)
                }
                _ => {
                    let len = bytes[at..].iter().position(|b| b" \t\r\n();|\"".contains(b));
                    at += len.unwrap_or(bytes.len() - at);
                    tree.push(Kind::Atom { text: &text[start..at], quoted: false }, start)
                }
            };
            match open.last_mut() {
                Some((_, items)) => items.push(node),
                None => tree.roots.push(node),
            }
        }
        match open.pop() {
            Some((start, _)) => Err(ParseError::new(start, "unclosed (")),
            None => Ok(tree),
        }
    }

    fn push(&mut self, kind: Kind<'a>, start: usize) -> Node {
        self.nodes.push((kind, start));
        Node(self.nodes.len() as u32 - 1)
    }

    /// Text of an unquoted atom: numbers, keywords, theory symbols.
    pub(crate) fn word(&self, node: Node) -> Option<&'a str> {
        match self.nodes[node.0 as usize].0 {
            Kind::Atom { text, quoted: false } => Some(text),
            _ => None,
        }
    }

    /// Text of an atom, quoted or not: symbols.
    pub(crate) fn symbol(&self, node: Node) -> Option<&'a str> {
        match self.nodes[node.0 as usize].0 {
            Kind::Atom { text, .. } => Some(text),
            Kind::List { .. } => None,
        }
    }

    pub(crate) fn list(&self, node: Node) -> Option<&[Node]> {
        match self.nodes[node.0 as usize].0 {
            Kind::List { first, count } => Some(&self.children[first as usize..(first + count) as usize]),
            Kind::Atom { .. } => None,
        }
    }

    pub(crate) fn error(&self, node: Node, message: impl Into<String>) -> ParseError {
        ParseError::new(self.nodes[node.0 as usize].1, message)
    }
}

/// End of the string literal that starts at `at`; `""` inside stands for a quote.
fn string_end(text: &str, mut at: usize) -> Result<usize, ParseError> {
    loop {
        let len = text[at + 1..].find('"').ok_or_else(|| ParseError::new(at, "unclosed string"))?;
        at += len + 2;
        if !text[at..].starts_with('"') {
            return Ok(at);
        }
    }
}
