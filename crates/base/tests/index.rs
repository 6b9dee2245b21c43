//! Ids are found again, also where many have one hash or belong near one other.

use base::Id;
use base::index::{Address, Index};

base::id!(Term, "t");

#[test]
fn ids_are_found_again_also_where_they_crowd() {
    let mut index = Index::default();
    let address = |term: Term| {
        let n = term.index() as u32;
        // A third with one hash, a third near one other.
        let hash = if n.is_multiple_of(3) { 7 } else { n.wrapping_mul(0x01ff_ff01) };
        Address::new(u64::from(hash), if n % 3 == 1 { 5 } else { n })
    };
    let terms = || (0..5000).map(Term::new);
    for wanted in terms() {
        assert_eq!(index.find(address(wanted), |term| term == wanted), None);
        index.insert(address(wanted), wanted, address);
    }
    for wanted in terms() {
        assert_eq!(index.find(address(wanted), |term| term == wanted), Some(wanted));
    }
}
