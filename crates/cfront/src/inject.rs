//! Expressions that are not the program's, evaluated at places of it and in the scope there: this is how a witness says its
//! invariants and waypoints. The program behaves as before as long as the expressions change only what their prelude
//! declares.

use base::{Diagnostic, FileId, Id, Sources, Span};

use crate::preprocess;
use crate::token::{Names, TokenStream};

/// What an injected expression calls the value of the call or decision that it follows.
pub const RESULT: &str = "__foldback_result";

/// What the titles of injected texts begin with: in a span's file it tells them from the program.
pub const TITLE: &str = "<witness: ";

/// The file that the declarations of injected texts are in, and what the names of their variables begin with.
pub const PRELUDE: &str = "<prelude>";
pub const OWN: &str = "__foldback_";

/// The file that the clauses of a contract from outside are in.
pub const GIVEN: &str = "<contract>";

/// When an injected expression is evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Moment {
    /// Before the statement, or the declaration in a block, that starts at the place.
    Statement,
    /// Whenever the controlling expression of the loop whose keyword stands at the place is about to be evaluated.
    LoopTest,
    /// After the controlling expression of the statement whose keyword, or of the choice whose `?`, stands at the place; its
    /// value is [`RESULT`].
    Decision,
    /// Before the arguments of the call whose closing parenthesis stands at the place.
    Call,
    /// After that call; its value, if it is a number, is [`RESULT`].
    Return,
}

/// An expression and where it is evaluated.
#[derive(Clone, Debug)]
pub struct Injection {
    pub moment: Moment,
    /// File and line, by all the names that the place has.
    pub lines: Vec<(String, u32)>,
    /// None: the first place on the line that suits.
    pub column: Option<u32>,
    /// The function that the place must be in; none: any.
    pub function: Option<String>,
    pub text: String,
    /// Names the text in messages; begins with [`TITLE`].
    pub title: String,
}

/// What is put into the program besides the files.
#[derive(Clone, Debug, Default)]
pub struct Injections {
    /// Declarations in front of every file.
    pub prelude: String,
    pub expressions: Vec<Injection>,
    /// A contract of a function that has none.
    pub contract: Option<Given>,
    /// What is claimed of functions, besides contracts of their own.
    pub claims: Vec<Claim>,
}

/// A contract that a function may keep or not: that it does is to be checked wherever it is called.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    pub function: String,
    /// Clauses as they would stand behind its declarator: requires and ensures.
    pub clauses: String,
    /// Names the text in messages; begins with [`TITLE`].
    pub title: String,
    /// The invariant that it is.
    pub number: u32,
}

/// A contract that the program does not have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Given {
    pub function: String,
    /// Clauses as they would stand behind its declarator.
    pub clauses: String,
    pub extent: Extent,
}

/// What a contract from outside speaks of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// What the function may rely on, and nothing about what it does.
    Precondition,
    /// Everything: as if it stood in the program.
    Whole,
}

/// An injection made ready for the parser.
pub(crate) struct Ready {
    pub(crate) moment: Moment,
    lines: Vec<(String, u32)>,
    column: Option<u32>,
    function: Option<String>,
    /// Away while it is parsed.
    pub(crate) stream: Option<TokenStream>,
    pub(crate) used: bool,
    /// From the statement that it was put before to where the next one starts, and how deep in statement expressions that is.
    pub(crate) before: Option<(Span, u32)>,
    /// Whether the next statement was not yet come to.
    pub(crate) is_open: bool,
}

impl Ready {
    pub(crate) fn new(
        injection: &Injection,
        names: &mut Names,
        sources: &mut Sources,
    ) -> Result<Ready, Vec<Diagnostic>> {
        let stream = tokens(&injection.text, &injection.title, names, sources)?;
        let Injection { moment, lines, column, function, .. } = injection.clone();
        Ok(Ready { moment, lines, column, function, stream: Some(stream), used: false, before: None, is_open: false })
    }

    /// Whether this is its place: a line and a column of one of the `files`, in `function`.
    pub(crate) fn is_at(&self, files: &[String], function: Option<&str>, file: FileId, line: u32, column: u32) -> bool {
        if self.function.is_some() && self.function.as_deref() != function {
            return false;
        }
        let named = files.get(file.index());
        let on_line = self.lines.iter().any(|(name, number)| *number == line && named == Some(name));
        on_line && self.column.map_or(!self.used, |wanted| wanted == column)
    }
}

pub(crate) fn tokens(
    text: &str,
    title: &str,
    names: &mut Names,
    sources: &mut Sources,
) -> Result<TokenStream, Vec<Diagnostic>> {
    preprocess::plain_tokens(title, text, names, sources)
}
