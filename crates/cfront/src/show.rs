//! Types printed as C: `types.show(ty)` for messages, `types.declare(ty, "x")` for declarations.

use crate::types::{Len, Qualifiers, Ty, Type, Types};

impl Types {
    /// The type as C would write it: `unsigned int *`, `char [4]`, `int (*)(void)`.
    pub fn show(&self, ty: Ty) -> String {
        self.declare(ty, "")
    }

    /// A declaration of `name` with this type: `char name[4]`, `int (*name)(void)`.
    pub fn declare(&self, ty: Ty, name: &str) -> String {
        let mut declarator = name.to_owned();
        let mut ty = ty;
        loop {
            match &self[ty] {
                Type::Pointer(to) => {
                    let quals = qualifiers(ty.qualifiers());
                    let space = if quals.is_empty() || declarator.is_empty() { "" } else { " " };
                    declarator = format!("*{}{space}{declarator}", quals.trim_end());
                    ty = *to;
                    if matches!(self[ty], Type::Array(..) | Type::Function(_)) {
                        declarator = format!("({declarator})");
                    }
                }
                Type::Array(of, len) => {
                    let len = match len {
                        Len::Const(n) => n.to_string(),
                        Len::Unknown => String::new(),
                        Len::Vla(_) | Len::Star => "*".to_owned(),
                    };
                    declarator = format!("{declarator}[{len}]");
                    ty = *of;
                }
                Type::Function(f) => {
                    let mut params: Vec<String> = f.params.iter().map(|&p| self.show(p)).collect();
                    if f.variadic {
                        params.push("...".to_owned());
                    } else if params.is_empty() && f.prototyped {
                        params.push("void".to_owned());
                    }
                    declarator = format!("{declarator}({})", params.join(", "));
                    ty = f.ret;
                }
                _ => break,
            }
        }
        let base = format!("{}{}", qualifiers(ty.qualifiers()), self.base_name(ty));
        if declarator.is_empty() { base } else { format!("{base} {declarator}") }
    }

    fn base_name(&self, ty: Ty) -> String {
        let tagged = |keyword: &str, tag: &Option<String>| match tag {
            Some(tag) => format!("{keyword} {tag}"),
            None => format!("{keyword} {{...}}"),
        };
        match &self[ty] {
            Type::Void => "void".to_owned(),
            Type::Bool => "_Bool".to_owned(),
            Type::Int(kind) => kind.name().to_owned(),
            Type::Float(kind) => kind.name().to_owned(),
            Type::Complex(of) => format!("_Complex {}", self.show(*of)),
            Type::Record(id) => {
                let record = &self.records[*id];
                tagged(if record.is_union { "union" } else { "struct" }, &record.name)
            }
            Type::Enum(id) => tagged("enum", &self.enums[*id].name),
            Type::VaList => "__builtin_va_list".to_owned(),
            Type::Vector(of, bytes) => {
                format!("__attribute__((vector_size({bytes}))) {}", self.show(*of))
            }
            Type::Pointer(_) | Type::Array(..) | Type::Function(_) => String::new(),
        }
    }
}

fn qualifiers(quals: Qualifiers) -> String {
    let mut out = String::new();
    for (qualifier, text) in
        [(Qualifiers::CONST, "const "), (Qualifiers::VOLATILE, "volatile "), (Qualifiers::ATOMIC, "_Atomic ")]
    {
        if quals.contains(qualifier) {
            out.push_str(text);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{DataModel, FunctionType};

    #[test]
    fn declarators_nest_as_in_c() {
        let mut types = Types::new(DataModel::Lp64);
        let (int, char) = (types.int(), types.char());
        let text = types.pointer(char.with(Qualifiers::CONST));
        let f = types.intern(Type::Function(FunctionType {
            ret: int,
            params: vec![text],
            variadic: true,
            prototyped: true,
        }));
        let fp = types.pointer(f);
        let table = types.array(fp, Len::Const(3));
        let row = types.array(int, Len::Const(4));
        let rows = types.pointer(row);
        assert_eq!(types.declare(table, "t"), "int (*t[3])(const char *, ...)");
        assert_eq!(types.declare(rows, "r"), "int (*r)[4]");
        assert_eq!(types.show(text.with(Qualifiers::CONST)), "const char *const");
        assert_eq!(types.declare(text, "s"), "const char *s");
    }
}
