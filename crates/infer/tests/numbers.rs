//! Which numbers a state has.

use cfa::{Program, VarKind};
use infer::candidates::numbers::{Cell, numbers};
use std::collections::BTreeSet;
use term::{ArraySort, Scalar, Sort, Value};

/// Where no run came there are no states that tell cells with numbers from others.
#[test]
fn truth_values_are_no_numbers() {
    let mut program = Program::new(cfa::Machine::new(cfa::DataModel::Lp64), base::Sources::default());
    let mut arrays = Vec::new();
    for (name, elem) in [("live", Scalar::Bool), ("data", Scalar::Bv(8))] {
        let sort = Sort::Array(ArraySort { index: Scalar::Bv(8), elem });
        arrays.push(program.add_var(name, sort, VarKind::Memory, None));
    }
    let place = Value::zero(Sort::Bv(8));
    let cells: BTreeSet<Cell> = arrays.iter().map(|array| Cell { array: *array, place: place.clone() }).collect();
    let mut terms = program.terms.clone();
    let found = numbers(&program, &mut terms, &arrays, &cells, &[]);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].width, 8);
}
