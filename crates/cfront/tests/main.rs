//! The tests of the front end, linked once: a new file is a line here.

mod corpus;
mod features;
mod folding;
mod headers;
mod layout;
mod places;
mod preprocess;
mod recovery;
mod verdicts;
