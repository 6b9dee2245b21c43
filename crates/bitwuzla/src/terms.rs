//! Sorts and terms of one term manager.
//!
//! A handle ([`Term`], [`Sort`]) is an index into the table of its [`Terms`], which keeps everything it ever made alive.
//! So handles are plain `Copy` values and can never dangle; a handle used with the wrong `Terms` names another term or
//! none (a panic), but never freed memory.

use std::ffi::{CStr, CString, c_char};
use std::ptr;
use std::rc::Rc;

use crate::guard::{self, Error, call};
use crate::kind::{Kind, RoundingMode};
use crate::raw;

/// Sorts and terms are pointers in C and numbers in the declarations.
const NULL: u64 = 0;

/// A sort of one [`Terms`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sort(u32);

/// A term of one [`Terms`]. Two handles may name the same term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Term(u32);

/// Owns the C++ term manager; shared with the solvers over it, which must die first.
pub(crate) struct Manager {
    pub(crate) raw: *mut raw::BitwuzlaTermManager,
}

impl Drop for Manager {
    fn drop(&mut self) {
        // SAFETY: made by `bitwuzla_term_manager_new`, and nothing refers to it any more. An error has nowhere to go.
        let _ = call(|| unsafe { raw::bitwuzla_term_manager_delete(self.raw) });
    }
}

/// A term manager with all the sorts and terms made in it. Belongs to the thread that made it.
pub struct Terms {
    manager: Rc<Manager>,
    sorts: Vec<raw::BitwuzlaSort>,
    terms: Vec<raw::BitwuzlaTerm>,
}

impl Terms {
    pub fn new() -> Result<Terms, Error> {
        guard::install_abort_callback();
        // SAFETY: no preconditions.
        let raw = call(|| unsafe { raw::bitwuzla_term_manager_new() })?;
        if raw.is_null() {
            return Err(Error::Broken("no term manager".to_string()));
        }
        Ok(Terms { manager: Rc::new(Manager { raw }), sorts: Vec::new(), terms: Vec::new() })
    }

    pub(crate) fn manager(&self) -> &Rc<Manager> {
        &self.manager
    }

    pub(crate) fn raw(&self, term: Term) -> raw::BitwuzlaTerm {
        self.terms[term.0 as usize]
    }

    /// How many handles were given out: a measure of what this manager keeps alive.
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    fn sort(&mut self, make: impl FnOnce(*mut raw::BitwuzlaTermManager) -> raw::BitwuzlaSort) -> Result<Sort, Error> {
        let manager = self.manager.raw;
        let sort = call(|| make(manager))?;
        if sort == NULL {
            return Err(Error::Broken("null sort".to_string()));
        }
        self.sorts.push(sort);
        Ok(Sort(u32::try_from(self.sorts.len() - 1).expect("fewer than 2^32 sorts")))
    }

    pub(crate) fn term(
        &mut self,
        make: impl FnOnce(*mut raw::BitwuzlaTermManager) -> raw::BitwuzlaTerm,
    ) -> Result<Term, Error> {
        let manager = self.manager.raw;
        let term = call(|| make(manager))?;
        self.adopt(term)
    }

    pub(crate) fn adopt(&mut self, term: raw::BitwuzlaTerm) -> Result<Term, Error> {
        if term == NULL {
            return Err(Error::Broken("null term".to_string()));
        }
        self.terms.push(term);
        Ok(Term(u32::try_from(self.terms.len() - 1).expect("fewer than 2^32 terms")))
    }

    // SAFETY of the calls below: the manager lives as long as `self`, and so do the sorts and terms in the tables.

    pub fn bool_sort(&mut self) -> Result<Sort, Error> {
        self.sort(|manager| unsafe { raw::bitwuzla_mk_bool_sort(manager) })
    }

    pub fn bv_sort(&mut self, width: u32) -> Result<Sort, Error> {
        self.sort(|manager| unsafe { raw::bitwuzla_mk_bv_sort(manager, u64::from(width)) })
    }

    /// `significand` counts the hidden bit, as in SMT-LIB: binary32 is (8, 24).
    pub fn fp_sort(&mut self, exponent: u32, significand: u32) -> Result<Sort, Error> {
        self.sort(|manager| unsafe { raw::bitwuzla_mk_fp_sort(manager, u64::from(exponent), u64::from(significand)) })
    }

    pub fn array_sort(&mut self, index: Sort, element: Sort) -> Result<Sort, Error> {
        let (index, element) = (self.sorts[index.0 as usize], self.sorts[element.0 as usize]);
        self.sort(|manager| unsafe { raw::bitwuzla_mk_array_sort(manager, index, element) })
    }

    pub fn fun_sort(&mut self, domain: &[Sort], codomain: Sort) -> Result<Sort, Error> {
        let mut domain: Vec<_> = domain.iter().map(|sort| self.sorts[sort.0 as usize]).collect();
        let codomain = self.sorts[codomain.0 as usize];
        self.sort(|manager| unsafe {
            raw::bitwuzla_mk_fun_sort(manager, domain.len() as u64, domain.as_mut_ptr(), codomain)
        })
    }

    pub fn bool_value(&mut self, value: bool) -> Result<Term, Error> {
        self.term(|manager| unsafe {
            if value { raw::bitwuzla_mk_true(manager) } else { raw::bitwuzla_mk_false(manager) }
        })
    }

    pub fn bv_value_u64(&mut self, sort: Sort, value: u64) -> Result<Term, Error> {
        let sort = self.sorts[sort.0 as usize];
        self.term(|manager| unsafe { raw::bitwuzla_mk_bv_value_uint64(manager, sort, value) })
    }

    /// `digits` in base 2, the highest bit first.
    pub fn bv_value(&mut self, sort: Sort, digits: &str) -> Result<Term, Error> {
        let sort = self.sorts[sort.0 as usize];
        let digits = c_string(digits)?;
        self.term(|manager| unsafe { raw::bitwuzla_mk_bv_value(manager, sort, digits.as_ptr(), 2) })
    }

    /// A float from its sign, exponent and fraction, three bit-vector values.
    pub fn fp_value(&mut self, sign: Term, exponent: Term, fraction: Term) -> Result<Term, Error> {
        let (sign, exponent, fraction) = (self.raw(sign), self.raw(exponent), self.raw(fraction));
        self.term(|manager| unsafe { raw::bitwuzla_mk_fp_value(manager, sign, exponent, fraction) })
    }

    pub fn rm_value(&mut self, mode: RoundingMode) -> Result<Term, Error> {
        self.term(|manager| unsafe { raw::bitwuzla_mk_rm_value(manager, mode.to_raw()) })
    }

    /// A fresh uninterpreted constant (or function, by its sort); the symbol is only for printing.
    pub fn constant(&mut self, sort: Sort, symbol: &str) -> Result<Term, Error> {
        let sort = self.sorts[sort.0 as usize];
        let symbol = c_string(symbol)?;
        self.term(|manager| unsafe { raw::bitwuzla_mk_const(manager, sort, symbol.as_ptr()) })
    }

    /// A fresh variable for a quantifier to bind.
    pub fn variable(&mut self, sort: Sort, symbol: &str) -> Result<Term, Error> {
        let sort = self.sorts[sort.0 as usize];
        let symbol = c_string(symbol)?;
        self.term(|manager| unsafe { raw::bitwuzla_mk_var(manager, sort, symbol.as_ptr()) })
    }

    /// The array of this sort that holds `value` everywhere.
    pub fn const_array(&mut self, sort: Sort, value: Term) -> Result<Term, Error> {
        let sort = self.sorts[sort.0 as usize];
        let value = self.raw(value);
        self.term(|manager| unsafe { raw::bitwuzla_mk_const_array(manager, sort, value) })
    }

    /// An application; `indices` are those of SMT-LIB's indexed operators (`extract`, `to_fp`, ...).
    pub fn apply(&mut self, kind: Kind, args: &[Term], indices: &[u64]) -> Result<Term, Error> {
        const INLINE: usize = 4;
        let kind = kind.to_raw();
        let mut inline = [NULL; INLINE];
        let mut heap = Vec::new();
        let raw_args: &mut [raw::BitwuzlaTerm] = if args.len() <= INLINE {
            for (slot, arg) in inline.iter_mut().zip(args) {
                *slot = self.raw(*arg);
            }
            &mut inline[..args.len()]
        } else {
            heap.extend(args.iter().map(|arg| self.raw(*arg)));
            &mut heap
        };
        let (count, pointer) = (length(raw_args.len())?, raw_args.as_mut_ptr());
        let (index_count, index_pointer) = (length(indices.len())?, indices.as_ptr());
        self.term(|manager| unsafe {
            if index_count == 0 {
                raw::bitwuzla_mk_term(manager, kind, count, pointer)
            } else {
                raw::bitwuzla_mk_term_indexed(manager, kind, count, pointer, index_count, index_pointer)
            }
        })
    }

    /// `term` with every occurrence of `from` replaced.
    pub fn substitute(&mut self, term: Term, from: Term, to: Term) -> Result<Term, Error> {
        let (term, mut from, mut to) = (self.raw(term), self.raw(from), self.raw(to));
        self.term(|_| unsafe { raw::bitwuzla_substitute_term(term, 1, &raw mut from, &raw mut to) })
    }

    /// The operator of a term; `None` when this binding has no name for it.
    pub fn kind(&self, term: Term) -> Result<Option<Kind>, Error> {
        let term = self.raw(term);
        Ok(Kind::from_raw(call(|| unsafe { raw::bitwuzla_term_get_kind(term) })?))
    }

    pub fn children(&mut self, term: Term) -> Result<Vec<Term>, Error> {
        let term = self.raw(term);
        let mut count = 0usize;
        let children = call(|| unsafe { raw::bitwuzla_term_get_children(term, &raw mut count) })?;
        if count == 0 || children.is_null() {
            return Ok(Vec::new());
        }
        // SAFETY: the function returns `count` terms in memory that stays valid until the next such call.
        let children = unsafe { std::slice::from_raw_parts(children, count) };
        children.iter().map(|child| self.adopt(*child)).collect()
    }

    pub fn read_bool(&self, term: Term) -> Result<bool, Error> {
        let term = self.raw(term);
        call(|| unsafe { raw::bitwuzla_term_value_get_bool(term) })
    }

    /// The bits of a bit-vector value, the highest first.
    pub fn read_bv(&self, term: Term) -> Result<String, Error> {
        let term = self.raw(term);
        let text = call(|| unsafe { raw::bitwuzla_term_value_get_str_fmt(term, 2) })?;
        owned(text)
    }

    /// The bits of a float value in IEEE order (sign, exponent, fraction), the highest first.
    pub fn read_fp(&self, term: Term) -> Result<String, Error> {
        let term = self.raw(term);
        let mut parts: [*const c_char; 3] = [ptr::null(); 3];
        let [sign, exponent, fraction] = &mut parts;
        call(|| unsafe { raw::bitwuzla_term_value_get_fp_ieee(term, sign, exponent, fraction, 2) })?;
        Ok(owned(parts[0])? + &owned(parts[1])? + &owned(parts[2])?)
    }

    /// SMT-LIB text, for messages.
    pub fn show(&self, term: Term) -> Result<String, Error> {
        let term = self.raw(term);
        owned(call(|| unsafe { raw::bitwuzla_term_to_string(term) })?)
    }
}

fn length(count: usize) -> Result<u32, Error> {
    u32::try_from(count).map_err(|_| Error::Misuse("more than 2^32 arguments".to_string()))
}

fn c_string(text: &str) -> Result<CString, Error> {
    CString::new(text).map_err(|_| Error::Misuse("text with a zero byte".to_string()))
}

pub(crate) fn owned(text: *const c_char) -> Result<String, Error> {
    if text.is_null() {
        return Err(Error::Broken("null text".to_string()));
    }
    // SAFETY: Bitwuzla returns the characters of a thread-local std::string, valid until the next such call.
    Ok(unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
}
