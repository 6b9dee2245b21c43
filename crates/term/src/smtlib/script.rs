//! Reading scripts, models and answers to `get-value`.

use super::names;
use super::parse::{Definition, ParseError, Reader};
use super::sexpr::{Node, Tree};
use crate::eval;
use crate::op::Func;
use crate::sort::Sort;
use crate::store::{Store, Term};
use crate::value::Value;

/// A command of a script. Definitions are inlined where they are used and do not appear.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    SetLogic(String),
    DeclareVar(Term),
    DeclareFunc(Func),
    Assert(Term),
    Push(u32),
    Pop(u32),
    CheckSat,
    CheckSatAssuming(Vec<Term>),
    GetValue(Vec<Term>),
    /// Commands that change no meaning here: options, information, `get-model`, `exit` …
    Other(String),
}

impl Reader {
    /// Reads the commands of a script into the store.
    pub fn script(&mut self, store: &mut Store, text: &str) -> Result<Vec<Command>, ParseError> {
        let tree = Tree::parse(text)?;
        let mut commands = Vec::new();
        for &root in &tree.roots {
            commands.extend(self.command(store, &tree, root)?);
        }
        Ok(commands)
    }

    fn command(&mut self, store: &mut Store, tree: &Tree<'_>, node: Node) -> Result<Option<Command>, ParseError> {
        let malformed = || tree.error(node, "malformed command");
        let (&name, args) = tree.list(node).and_then(<[Node]>::split_first).ok_or_else(malformed)?;
        let symbol = |node: Node| tree.symbol(node).ok_or_else(malformed);
        let count = || match args {
            [] => Ok(1),
            &[n] => tree.word(n).and_then(|n| n.parse().ok()).ok_or_else(malformed),
            _ => Err(malformed()),
        };
        let command = match (tree.word(name).ok_or_else(malformed)?, args) {
            ("set-logic", &[logic]) => Command::SetLogic(symbol(logic)?.to_owned()),
            ("declare-const", &[name, sort]) => {
                let sort = self.sort(tree, sort)?;
                Command::DeclareVar(declare(store, tree, name, sort)?)
            }
            ("declare-fun", &[name, params, result]) => {
                let params = tree.list(params).ok_or_else(malformed)?;
                let params = params.iter().map(|&param| self.sort(tree, param)).collect::<Result<Vec<_>, _>>()?;
                let result = self.sort(tree, result)?;
                if params.is_empty() {
                    Command::DeclareVar(declare(store, tree, name, result)?)
                } else {
                    let ours = names::decode(symbol(name)?);
                    if let Some(known) = store.find_func(ours) {
                        let info = store.func_info(known);
                        if info.params != params || info.result != result {
                            return Err(tree.error(name, "declared before with another signature"));
                        }
                    }
                    Command::DeclareFunc(store.func(ours, &params, result))
                }
            }
            ("define-fun", &[name, params, sort, body]) => {
                self.define(store, tree, name, params, sort, body)?;
                return Ok(None);
            }
            ("define-const", &[name, sort, body]) => {
                let sort = self.sort(tree, sort)?;
                let body = self.term(store, tree, body)?;
                if store.sort(body) != sort {
                    return Err(tree.error(node, "body of another sort"));
                }
                self.definitions.insert(symbol(name)?.to_owned(), Definition { params: Vec::new(), body });
                return Ok(None);
            }
            ("define-sort", &[name, params, sort]) if tree.list(params).is_some_and(<[Node]>::is_empty) => {
                let sort = self.sort(tree, sort)?;
                self.sorts.insert(symbol(name)?.to_owned(), sort);
                return Ok(None);
            }
            ("assert", &[body]) => Command::Assert(self.bool_term(store, tree, body)?),
            ("push", _) => Command::Push(count()?),
            ("pop", _) => Command::Pop(count()?),
            ("check-sat", []) => Command::CheckSat,
            ("check-sat-assuming", &[list]) => {
                let list = tree.list(list).ok_or_else(malformed)?.to_vec();
                let terms = list.into_iter().map(|t| self.bool_term(store, tree, t)).collect::<Result<_, _>>()?;
                Command::CheckSatAssuming(terms)
            }
            ("get-value", &[list]) => {
                let list = tree.list(list).ok_or_else(malformed)?.to_vec();
                Command::GetValue(list.into_iter().map(|t| self.term(store, tree, t)).collect::<Result<_, _>>()?)
            }
            (
                other @ ("set-option"
                | "set-info"
                | "get-model"
                | "get-info"
                | "get-unsat-core"
                | "get-assertions"
                | "get-unsat-assumptions"
                | "get-assignment"
                | "get-option"
                | "get-proof"
                | "echo"
                | "exit"),
                _,
            ) => Command::Other(other.to_owned()),
            (other, _) => return Err(tree.error(node, format!("unsupported command {other}"))),
        };
        Ok(Some(command))
    }

    fn bool_term(&self, store: &mut Store, tree: &Tree<'_>, node: Node) -> Result<Term, ParseError> {
        let term = self.term(store, tree, node)?;
        if store.sort(term).is_bool() { Ok(term) } else { Err(tree.error(node, "expected a formula")) }
    }

    fn define(
        &mut self,
        store: &mut Store,
        tree: &Tree<'_>,
        name: Node,
        params: Node,
        sort: Node,
        body: Node,
    ) -> Result<(), ParseError> {
        let symbol = tree.symbol(name).ok_or_else(|| tree.error(name, "expected a name"))?;
        let sort = self.sort(tree, sort)?;
        let pairs = self.sorted_vars(store, tree, params)?;
        let body_term = if pairs.is_empty() {
            self.term(store, tree, body)?
        } else {
            // Parameters become fresh variables that only this definition mentions.
            let mut inner = self.clone();
            let mut fresh = Vec::new();
            for &(param, var) in &pairs {
                let var = store.fresh("param", store.sort(var));
                inner.definitions.insert(param.to_owned(), Definition { params: Vec::new(), body: var });
                fresh.push(var);
            }
            let body_term = inner.term(store, tree, body)?;
            self.definitions.insert(symbol.to_owned(), Definition { params: fresh, body: body_term });
            body_term
        };
        if store.sort(body_term) != sort {
            return Err(tree.error(body, "body of another sort"));
        }
        if pairs.is_empty() {
            self.definitions.insert(symbol.to_owned(), Definition { params: Vec::new(), body: body_term });
        }
        Ok(())
    }
}

fn declare(store: &mut Store, tree: &Tree<'_>, name: Node, sort: Sort) -> Result<Term, ParseError> {
    let symbol = tree.symbol(name).ok_or_else(|| tree.error(name, "expected a name"))?;
    let ours = names::decode(symbol);
    match store.find_var(ours) {
        Some(var) if store.sort(var) == sort => Ok(var),
        Some(_) => Err(tree.error(name, format!("{symbol} is declared with two sorts"))),
        None if ours.starts_with('?') || ours.contains('\\') => Err(tree.error(name, "unsupported name")),
        None => Ok(store.var(ours, sort)),
    }
}

/// A solver's model: values of variables, and functions as terms over parameters.
#[derive(Clone, Debug, Default)]
pub struct Model {
    pub values: Vec<(Term, Value)>,
    pub functions: Vec<(Func, FunctionModel)>,
}

/// `params` are variables made for this model; `body` gives the value in terms of them.
#[derive(Clone, Debug)]
pub struct FunctionModel {
    pub params: Vec<Term>,
    pub body: Term,
}

impl eval::Assignment for Model {
    fn value(&self, _: &Store, var: Term) -> Option<Value> {
        self.values.iter().find(|(known, _)| *known == var).map(|(_, value)| value.clone())
    }

    fn apply(&self, store: &Store, func: Func, args: &[Value]) -> Option<Value> {
        let (_, function) = self.functions.iter().find(|(known, _)| *known == func)?;
        let map: std::collections::BTreeMap<Term, Value> =
            function.params.iter().copied().zip(args.iter().cloned()).collect();
        eval::eval(store, function.body, &map).ok()
    }
}

/// Reads the commands of a script.
pub fn parse_script(store: &mut Store, text: &str) -> Result<Vec<Command>, ParseError> {
    Reader::new().script(store, text)
}

/// Reads one term over the variables of the store.
pub fn parse_term(store: &mut Store, text: &str) -> Result<Term, ParseError> {
    let tree = Tree::parse(text)?;
    match tree.roots[..] {
        [root] => Reader::new().term(store, &tree, root),
        _ => Err(ParseError::new(0, "expected one term")),
    }
}

/// Reads the answer to `get-model`: definitions of the store's variables and functions. Definitions of names that the
/// store does not know are auxiliary and used where others refer to them.
pub fn parse_model(store: &mut Store, text: &str) -> Result<Model, ParseError> {
    let tree = Tree::parse(text)?;
    let mut nodes: Vec<Node> = Vec::new();
    for &root in &tree.roots {
        let items = tree.list(root).unwrap_or(&[]);
        match items.first().and_then(|&first| tree.word(first)) {
            Some("model") => nodes.extend(&items[1..]),
            Some(_) => nodes.push(root),
            None => nodes.extend(items),
        }
    }
    let named = |node: Node, name: &str| {
        let items = tree.list(node).unwrap_or(&[]);
        items.first().and_then(|&first| tree.word(first)) == Some(name)
    };
    // Auxiliary functions may be printed after the arrays that mention them: those with parameters first.
    let (functions, constants): (Vec<Node>, Vec<Node>) =
        nodes.into_iter().filter(|&node| named(node, "define-fun")).partition(|&node| {
            tree.list(node).and_then(|items| items.get(2)).is_some_and(|&p| tree.list(p).is_some_and(|l| !l.is_empty()))
        });
    let mut reader = Reader::new();
    let mut model = Model::default();
    for node in functions.into_iter().chain(constants) {
        reader.command(store, &tree, node)?;
        let items = tree.list(node).expect("a definition");
        let symbol = tree.symbol(items[1]).expect("just defined");
        let Definition { params, body } = reader.definitions[symbol].clone();
        let ours = names::decode(symbol);
        if params.is_empty() {
            if let Some(var) = store.find_var(ours) {
                let value = eval::eval(store, body, &()).map_err(|e| tree.error(node, e.to_string()))?;
                model.values.push((var, value));
            }
        } else if let Some(func) = store.find_func(ours) {
            model.functions.push((func, FunctionModel { params, body }));
        }
    }
    Ok(model)
}

/// Reads the answer to `get-value`: values in the order they were asked for.
pub fn parse_values(store: &mut Store, text: &str) -> Result<Vec<Value>, ParseError> {
    let tree = Tree::parse(text)?;
    let malformed = || ParseError::new(0, "expected ((term value) …)");
    let &[root] = &tree.roots[..] else { return Err(malformed()) };
    let pairs = tree.list(root).ok_or_else(malformed)?.to_vec();
    let reader = Reader::new();
    let mut values = Vec::new();
    for pair in pairs {
        let Some(&[_, value]) = tree.list(pair) else { return Err(malformed()) };
        let term = reader.term(store, &tree, value)?;
        values.push(eval::eval(store, term, &()).map_err(|e| tree.error(value, e.to_string()))?);
    }
    Ok(values)
}
