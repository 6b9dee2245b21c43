//! `__sync_*` and `__atomic_*`: typed, memory orders dropped (there is one thread).

use base::Span;

use crate::hir::{Builtin, Expr, ExprKind};
use crate::types::Ty;

use super::{Parser, Res};

const SYNC: &[&str] = &[
    "synchronize",
    "fetch_and_add",
    "fetch_and_sub",
    "fetch_and_or",
    "fetch_and_and",
    "fetch_and_xor",
    "fetch_and_nand",
    "add_and_fetch",
    "sub_and_fetch",
    "or_and_fetch",
    "and_and_fetch",
    "xor_and_fetch",
    "nand_and_fetch",
    "lock_test_and_set",
    "bool_compare_and_swap",
    "val_compare_and_swap",
    "lock_release",
];

const ATOMIC: &[&str] = &[
    "thread_fence",
    "signal_fence",
    "always_lock_free",
    "is_lock_free",
    "test_and_set",
    "clear",
    "fetch_add",
    "fetch_sub",
    "fetch_and",
    "fetch_or",
    "fetch_xor",
    "fetch_nand",
    "add_fetch",
    "sub_fetch",
    "and_fetch",
    "or_fetch",
    "xor_fetch",
    "nand_fetch",
    "load_n",
    "load",
    "store_n",
    "store",
    "exchange_n",
    "exchange",
    "compare_exchange_n",
    "compare_exchange",
];

/// Is this one of the `__sync_*` and `__atomic_*` functions, perhaps with a size (`__sync_fetch_and_add_4`)?
pub(super) fn is_atomic_builtin(name: &str) -> bool {
    let (stem, known) = match (name.strip_prefix("__sync_"), name.strip_prefix("__atomic_")) {
        (Some(stem), _) => (stem, SYNC),
        (None, Some(stem)) => (stem, ATOMIC),
        (None, None) => return false,
    };
    let sized = ["_1", "_2", "_4", "_8", "_16"].iter().find_map(|size| stem.strip_suffix(size));
    known.contains(&stem) || sized.is_some_and(|plain| known.contains(&plain))
}

impl Parser {
    /// The pointee of an atomic operation's pointer, and the pointer's value.
    fn atomic_target(&mut self, pointer: Expr) -> Res<(Expr, Ty)> {
        let pointer = self.rvalue(pointer);
        match self.types.pointee(pointer.ty) {
            Some(to) if self.types.is_scalar(to) => Ok((pointer, to.unqualified())),
            _ => self.fail(pointer.span, "pointer to an integer or pointer expected"),
        }
    }

    /// The operand of a read-modify-write: on pointers gcc adds bytes.
    fn atomic_operand(&mut self, value: Expr, target: Ty) -> Res<Expr> {
        if self.types.is_pointer(target) {
            let value = self.rvalue(value);
            let ptrdiff = self.types.ptrdiff_t();
            return Ok(self.cast(value, ptrdiff));
        }
        self.convert_for(value, target, "in argument")
    }

    pub(super) fn sync_builtin(&mut self, name: &str, args: Vec<Expr>, span: Span) -> Res<Option<Expr>> {
        // `__sync_fetch_and_add_4` is the typed form.
        let name = name.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('_');
        let void = self.types.void();
        let which = match name {
            "synchronize" => return Ok(Some(self.builtin_node(Builtin::Fence, Vec::new(), void, span))),
            "fetch_and_add" => Builtin::FetchAdd,
            "fetch_and_sub" => Builtin::FetchSub,
            "fetch_and_or" => Builtin::FetchOr,
            "fetch_and_and" => Builtin::FetchAnd,
            "fetch_and_xor" => Builtin::FetchXor,
            "fetch_and_nand" => Builtin::FetchNand,
            "add_and_fetch" => Builtin::AddFetch,
            "sub_and_fetch" => Builtin::SubFetch,
            "or_and_fetch" => Builtin::OrFetch,
            "and_and_fetch" => Builtin::AndFetch,
            "xor_and_fetch" => Builtin::XorFetch,
            "nand_and_fetch" => Builtin::NandFetch,
            "lock_test_and_set" => Builtin::AtomicExchange,
            "bool_compare_and_swap" => Builtin::SyncBoolCompareSwap,
            "val_compare_and_swap" => Builtin::SyncValCompareSwap,
            "lock_release" => Builtin::AtomicStore,
            _ => return Ok(None),
        };
        let mut args = args.into_iter();
        let Some(pointer) = args.next() else { return self.fail(span, "too few arguments") };
        let (pointer, target) = self.atomic_target(pointer)?;
        let mut values = vec![pointer];
        let wanted = match which {
            Builtin::SyncBoolCompareSwap | Builtin::SyncValCompareSwap => 2,
            Builtin::AtomicStore => 0,
            _ => 1,
        };
        for _ in 0..wanted {
            let Some(value) = args.next() else { return self.fail(span, "too few arguments") };
            let arithmetic = wanted == 1 && which != Builtin::AtomicExchange;
            values.push(if arithmetic {
                self.atomic_operand(value, target)?
            } else {
                self.convert_for(value, target, "in argument")?
            });
        }
        let ty = match which {
            Builtin::SyncBoolCompareSwap => self.types.bool(),
            Builtin::AtomicStore => {
                values.push(self.int_node(0, target, span));
                void
            }
            _ => target,
        };
        Ok(Some(self.builtin_node(which, values, ty, span)))
    }

    pub(super) fn atomic_builtin(&mut self, name: &str, mut args: Vec<Expr>, span: Span) -> Res<Option<Expr>> {
        let name = name.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('_');
        let operands = match name {
            "always_lock_free" | "is_lock_free" => return self.lock_free(name, args, span).map(Some),
            "thread_fence" | "signal_fence" => 0,
            "load_n" | "test_and_set" | "clear" => 1,
            "exchange" | "compare_exchange_n" | "compare_exchange" => 3,
            _ => 2,
        };
        // Memory orders say nothing here, and are evaluated.
        let mut orders = args.split_off(operands.min(args.len()));
        if name.starts_with("compare_exchange") && !orders.is_empty() {
            args.push(orders.remove(0));
        }
        let found = self.atomic_operation(name, args, span)?;
        Ok(found.map(|e| self.after(orders, e)))
    }

    /// Whether the machine works on objects of this size at once: on those that registers hold, as far as they are aligned.
    fn lock_free(&mut self, name: &str, args: Vec<Expr>, span: Span) -> Res<Expr> {
        let [size, object] = self.exactly(args, span)?;
        let (size, object) = (self.rvalue(size), self.rvalue(object));
        let bool = self.types.bool();
        let is_any = |e: &Expr| matches!(e.kind, ExprKind::Int(0));
        let mut place = &object;
        while let ExprKind::Cast(inner) = &place.kind {
            place = inner;
        }
        let align =
            self.types.pointee(place.ty).filter(|to| !self.types.is_void(*to)).map(|to| self.types.align_of(to));
        let size = self.eval_int(&size).filter(|_| is_any(place) || align.is_some());
        Ok(match size {
            Some(size @ (1 | 2 | 4 | 8)) if is_any(place) || align.is_some_and(|align| i128::from(align) >= size) => {
                self.int_node(1, bool, span)
            }
            Some(_) if name == "always_lock_free" => self.int_node(0, bool, span),
            _ => self.unsupported(format!("what '__atomic_{name}' says of this object"), bool, span),
        })
    }

    fn atomic_operation(&mut self, name: &str, args: Vec<Expr>, span: Span) -> Res<Option<Expr>> {
        let void = self.types.void();
        let bool = self.types.bool();
        if matches!(name, "thread_fence" | "signal_fence") {
            return Ok(Some(self.builtin_node(Builtin::Fence, Vec::new(), void, span)));
        }
        let mut args = args.into_iter();
        let Some(pointer) = args.next() else { return self.fail(span, "too few arguments") };
        if matches!(name, "test_and_set" | "clear") {
            let pointer = self.rvalue(pointer);
            let (which, ty) =
                if name == "clear" { (Builtin::AtomicClear, void) } else { (Builtin::AtomicTestAndSet, bool) };
            return Ok(Some(self.builtin_node(which, vec![pointer], ty, span)));
        }
        let (pointer, target) = self.atomic_target(pointer)?;
        let modify = match name {
            "fetch_add" => Some(Builtin::FetchAdd),
            "fetch_sub" => Some(Builtin::FetchSub),
            "fetch_and" => Some(Builtin::FetchAnd),
            "fetch_or" => Some(Builtin::FetchOr),
            "fetch_xor" => Some(Builtin::FetchXor),
            "fetch_nand" => Some(Builtin::FetchNand),
            "add_fetch" => Some(Builtin::AddFetch),
            "sub_fetch" => Some(Builtin::SubFetch),
            "and_fetch" => Some(Builtin::AndFetch),
            "or_fetch" => Some(Builtin::OrFetch),
            "xor_fetch" => Some(Builtin::XorFetch),
            "nand_fetch" => Some(Builtin::NandFetch),
            _ => None,
        };
        if let Some(which) = modify {
            let Some(value) = args.next() else { return self.fail(span, "too few arguments") };
            let value = self.atomic_operand(value, target)?;
            return Ok(Some(self.builtin_node(which, vec![pointer, value], target, span)));
        }
        let load = |p: &mut Parser, e: Expr| -> Res<Expr> {
            let e = p.rvalue(e);
            let place = p.deref(e, span)?;
            Ok(p.rvalue(place))
        };
        let rest: Vec<Expr> = args.collect();
        let mut rest = rest.into_iter();
        let mut next = |p: &mut Parser| match rest.next() {
            Some(e) => Ok(e),
            None => p.fail(span, "too few arguments"),
        };
        Ok(Some(match name {
            "load_n" => self.builtin_node(Builtin::AtomicLoad, vec![pointer], target, span),
            "load" => {
                let to = next(self)?;
                let to = self.rvalue(to);
                let place = self.deref(to, span)?;
                let value = self.builtin_node(Builtin::AtomicLoad, vec![pointer], target, span);
                let stored = self.assign(place, value, span)?;
                self.cast(stored, void)
            }
            "store_n" => {
                let value = next(self)?;
                let value = self.convert_for(value, target, "in argument")?;
                self.builtin_node(Builtin::AtomicStore, vec![pointer, value], void, span)
            }
            "store" => {
                let value = next(self)?;
                let value = load(self, value)?;
                self.builtin_node(Builtin::AtomicStore, vec![pointer, value], void, span)
            }
            "exchange_n" => {
                let value = next(self)?;
                let value = self.convert_for(value, target, "in argument")?;
                self.builtin_node(Builtin::AtomicExchange, vec![pointer, value], target, span)
            }
            "exchange" => {
                let value = next(self)?;
                let value = load(self, value)?;
                let to = next(self)?;
                let to = self.rvalue(to);
                let place = self.deref(to, span)?;
                let old = self.builtin_node(Builtin::AtomicExchange, vec![pointer, value], target, span);
                let stored = self.assign(place, old, span)?;
                self.cast(stored, void)
            }
            "compare_exchange_n" | "compare_exchange" => {
                let expected = next(self)?;
                let expected = self.rvalue(expected);
                let value = next(self)?;
                let value = if name == "compare_exchange" {
                    load(self, value)?
                } else {
                    self.convert_for(value, target, "in argument")?
                };
                let weak = next(self)?;
                let weak = self.convert_for(weak, bool, "in argument")?;
                self.builtin_node(Builtin::AtomicCompareExchange, vec![pointer, expected, value, weak], bool, span)
            }
            _ => return Ok(None),
        }))
    }
}
