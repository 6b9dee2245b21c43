//! How a C variable is made of scalars: for names of what becomes of it when memory is split.

use std::sync::Arc;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shape {
    Scalar(Scalar),
    /// Members with their first byte, bit-fields left out. One without a name is transparent.
    Record(Vec<(Option<String>, u64, Arc<Shape>)>),
    Array {
        stride: u64,
        count: u64,
        of: Arc<Shape>,
    },
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scalar {
    pub bytes: u32,
    pub ctype: String,
    pub signed: bool,
    pub pointer: bool,
    pub float: bool,
}

impl Shape {
    /// The scalar that is `bytes` bytes from `offset` on, and how C gets to it: `.next[3].x`.
    pub fn at(&self, offset: u64, bytes: u32, float: bool) -> Option<(String, &Scalar)> {
        match self {
            Shape::Scalar(scalar) => {
                let is_whole = offset == 0 && scalar.bytes == bytes && scalar.float == float;
                is_whole.then(|| (String::new(), scalar))
            }
            Shape::Record(members) => members.iter().find_map(|(name, start, shape)| {
                let (path, scalar) = shape.at(offset.checked_sub(*start)?, bytes, float)?;
                let path = name.as_ref().map_or_else(|| path.clone(), |name| format!(".{name}{path}"));
                Some((path, scalar))
            }),
            Shape::Array { stride, count, of } => {
                let index = offset.checked_div(*stride).filter(|index| index < count)?;
                let (path, scalar) = of.at(offset % stride, bytes, float)?;
                Some((format!("[{index}]{path}"), scalar))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_have_paths() {
        let scalar = |bytes, float| {
            let ctype = String::new();
            Arc::new(Shape::Scalar(Scalar { bytes, ctype, signed: true, pointer: false, float }))
        };
        // struct { char c; union { int i; float f; }; struct { short a, b; } s[3]; }
        let pair = Shape::Record(vec![
            (Some("a".to_owned()), 0, scalar(2, false)),
            (Some("b".to_owned()), 2, scalar(2, false)),
        ]);
        let either = Shape::Record(vec![
            (Some("i".to_owned()), 0, scalar(4, false)),
            (Some("f".to_owned()), 0, scalar(4, true)),
        ]);
        let whole = Shape::Record(vec![
            (Some("c".to_owned()), 0, scalar(1, false)),
            (None, 4, Arc::new(either)),
            (Some("s".to_owned()), 8, Arc::new(Shape::Array { stride: 4, count: 3, of: Arc::new(pair) })),
        ]);
        let path = |offset, bytes, float| whole.at(offset, bytes, float).map(|(path, _)| path);
        assert_eq!(path(0, 1, false).as_deref(), Some(".c"));
        assert_eq!(path(4, 4, false).as_deref(), Some(".i"));
        assert_eq!(path(4, 4, true).as_deref(), Some(".f"));
        assert_eq!(path(18, 2, false).as_deref(), Some(".s[2].b"));
        assert_eq!(path(20, 2, false), None);
        assert_eq!(path(8, 4, false), None);
        assert_eq!(path(1, 1, false), None);
    }
}
