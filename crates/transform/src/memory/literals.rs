//! Writes to string literals, where lowering does not ask about them itself (memory is not checked): the machine may trap, and a
//! compiler that knows the contents may overlook the write. So executions that write to one through a pointer are given up.
//!
//! Only stores, fills and copies into a class that has such a literal are asked about, so that programs whose
//! literals never meet what is written pay nothing. Where a pointer from outside leads there, nothing is asked: it is taken to lead to no
//! literal, like to no other constant.

use super::address::Address;
use super::encode::{Encoder, Origins};
use super::points_to::PointsTo;
use base::Id;
use cfa::{Frame, LocKind, ObjectKind};
use std::ops::Range;
use term::Term;

impl Encoder<'_> {
    /// The numbers of the literals of each class, in ranges.
    pub(super) fn find_literals(points: &PointsTo<'_>, objects: &super::objects::Objects) -> Vec<Vec<Range<u64>>> {
        let mut found: Vec<Vec<Range<u64>>> = vec![Vec::new(); points.classes.len()];
        for (class, info) in points.classes.iter() {
            if info.objects.iter().any(|o| objects.plans[*o].kind.is_none()) {
                continue;
            }
            let literals = info.objects.iter().filter(|o| objects.plans[**o].kind == Some(ObjectKind::Literal));
            for number in literals.filter_map(|o| objects.plans[*o].number) {
                match found[class.index()].last_mut().filter(|range| range.end == number) {
                    Some(range) => range.end += 1,
                    None => found[class.index()].push(number..number + 1),
                }
            }
        }
        found
    }

    /// In front of a write of some bytes (one or more, where no length is given): it is not to a literal. What sets up static
    /// memory may write there.
    pub(super) fn not_to_literal(&mut self, addr: Term, len: Option<Term>, at: Origins) -> Origins {
        let Some(class) = self.points.pointer(addr).map(|p| p.class) else { return at };
        if self.literals[class.index()].is_empty() || self.locs[at.from].frame == Frame::ROOT {
            return at;
        }
        let Some(place) = self.place(Address::of(addr)) else { return at };
        let number = self.object_number(place.target);
        let mut is_literal = self.program.terms.ff();
        for range in self.literals[class.index()].clone() {
            let inside = self.in_range(number, &range);
            is_literal = self.program.terms.or(is_literal, inside);
        }
        if let Some(len) = len {
            let len = self.rewrite(len);
            let writes = self.program.terms.nonzero(len);
            is_literal = self.program.terms.and(is_literal, writes);
        }
        let is_other = self.program.terms.not(is_literal);
        let what = "undefined behaviour: a string literal is written".to_owned();
        self.only_where_else(is_other, LocKind::BoundHit(what), at)
    }
}
