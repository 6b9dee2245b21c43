//! Compatible types and the composite of two of them (C11 6.2.7).

use crate::types::{FunctionType, IntKind, Len, Ty, Type, Types};

impl Types {
    /// Are the types compatible, qualifiers of the outermost level aside?
    pub(crate) fn compatible(&self, a: Ty, b: Ty) -> bool {
        if a.unqualified() == b.unqualified() {
            return true;
        }
        match (&self[a], &self[b]) {
            (Type::Pointer(x), Type::Pointer(y)) => x.qualifiers() == y.qualifiers() && self.compatible(*x, *y),
            (Type::Array(x, m), Type::Array(y, n)) => {
                let lengths = match (m, n) {
                    (Len::Const(m), Len::Const(n)) => m == n,
                    _ => true,
                };
                lengths && self.compatible(*x, *y)
            }
            (Type::Function(f), Type::Function(g)) => self.compatible_functions(f, g),
            (Type::Enum(id), Type::Int(kind)) | (Type::Int(kind), Type::Enum(id)) => {
                self.enums[*id].underlying == *kind
            }
            _ => false,
        }
    }

    /// Do values of the two types have the same parts in the same places, whatever the types are called? Two files, or a cast,
    /// may know a struct by different declarations; how one is passed depends on its size, its alignment and the kinds of
    /// its members.
    pub fn laid_out_alike(&self, a: Ty, b: Ty) -> bool {
        if a.unqualified() == b.unqualified() {
            return true;
        }
        if self.size_of(a) != self.size_of(b) || self.align_of(a) != self.align_of(b) {
            return false;
        }
        match (&self[a], &self[b]) {
            (Type::Record(x), Type::Record(y)) => {
                let (x, y) = (&self.records[*x], &self.records[*y]);
                x.complete
                    && y.complete
                    && x.is_union == y.is_union
                    && x.fields.len() == y.fields.len()
                    && x.fields
                        .iter()
                        .zip(&y.fields)
                        .all(|(f, g)| f.offset == g.offset && f.bits == g.bits && self.laid_out_alike(f.ty, g.ty))
            }
            (Type::Array(x, m), Type::Array(y, n)) => m == n && self.laid_out_alike(*x, *y),
            (Type::Complex(x), Type::Complex(y)) => self.laid_out_alike(*x, *y),
            (Type::Vector(x, m), Type::Vector(y, n)) => m == n && self.laid_out_alike(*x, *y),
            (Type::Float(x), Type::Float(y)) => x == y,
            (Type::Pointer(_) | Type::Int(_) | Type::Enum(_), Type::Pointer(_) | Type::Int(_) | Type::Enum(_)) => true,
            _ => false,
        }
    }

    /// Are two types of functions compatible once qualifiers of what parameters point to are left aside? Results count in full.
    pub(crate) fn alike(&self, a: Ty, b: Ty) -> bool {
        let pointee = |ty: Ty| match self[ty] {
            Type::Pointer(to) => Some(to.unqualified()),
            _ => None,
        };
        let same = |x: Ty, y: Ty| match (pointee(x), pointee(y)) {
            (Some(x), Some(y)) => self.compatible(x, y),
            _ => self.compatible(x, y),
        };
        match (&self[a], &self[b]) {
            (Type::Function(f), Type::Function(g)) => {
                f.prototyped
                    && g.prototyped
                    && f.variadic == g.variadic
                    && f.params.len() == g.params.len()
                    && self.compatible(f.ret, g.ret)
                    && f.params.iter().zip(&g.params).all(|(&x, &y)| same(x, y))
            }
            _ => false,
        }
    }

    fn compatible_functions(&self, f: &FunctionType, g: &FunctionType) -> bool {
        if !self.compatible(f.ret, g.ret) {
            return false;
        }
        match (f.prototyped, g.prototyped) {
            (true, true) => {
                f.variadic == g.variadic
                    && f.params.len() == g.params.len()
                    && f.params.iter().zip(&g.params).all(|(&x, &y)| self.compatible(x, y))
            }
            (true, false) => self.callable_without_prototype(f),
            (false, true) => self.callable_without_prototype(g),
            (false, false) => true,
        }
    }

    /// A prototype is compatible with `f()` when the default promotions change none of its parameters.
    fn callable_without_prototype(&self, f: &FunctionType) -> bool {
        !f.variadic && f.params.iter().all(|&p| self.is_promoted(p))
    }

    fn is_promoted(&self, ty: Ty) -> bool {
        match self[ty] {
            Type::Bool | Type::Float(crate::types::FloatKind::Float) => false,
            Type::Int(kind) => kind.rank(self.model()) >= IntKind::Int.rank(self.model()),
            _ => true,
        }
    }

    /// The type that knows all that two compatible types know.
    pub(crate) fn composite(&mut self, a: Ty, b: Ty) -> Ty {
        if a.unqualified() == b.unqualified() {
            return a.with(b.qualifiers());
        }
        let quals = a.qualifiers().and(b.qualifiers());
        let composite = match (self[a].clone(), self[b].clone()) {
            (Type::Pointer(x), Type::Pointer(y)) => {
                let to = self.composite(x, y);
                self.pointer(to)
            }
            (Type::Array(x, m), Type::Array(y, n)) => {
                let of = self.composite(x, y);
                let len = match (m, n) {
                    (Len::Const(_), _) => m,
                    (_, Len::Const(_)) => n,
                    (Len::Unknown | Len::Star, _) => n,
                    _ => m,
                };
                self.array(of, len)
            }
            (Type::Function(f), Type::Function(g)) => match (f.prototyped, g.prototyped) {
                (true, false) => a,
                (false, true) => b,
                (true, true) => {
                    let ret = self.composite(f.ret, g.ret);
                    let params = f.params.iter().zip(&g.params).map(|(&x, &y)| self.composite(x, y)).collect();
                    self.intern(Type::Function(FunctionType { ret, params, variadic: f.variadic, prototyped: true }))
                }
                (false, false) if f.params.is_empty() => b,
                (false, false) => a,
            },
            _ => a,
        };
        composite.with(quals)
    }
}
