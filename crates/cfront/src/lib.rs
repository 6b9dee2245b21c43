//! The C front end: preprocessed or plain C in, one typed tree out, with every conversion explicit.

pub mod hir;
pub mod types;
