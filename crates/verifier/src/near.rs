//! "Did you mean": the known name that is nearest to one that is not known.

/// So many letters may differ: one in three, at most three.
fn most(word: &str) -> usize {
    (word.chars().count() / 3).clamp(1, 3)
}

/// The nearest of the known names, if it is near enough to be meant.
pub fn nearest<'n>(word: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let near = known.into_iter().map(|name| (distance(word, name), name));
    near.filter(|(distance, _)| *distance <= most(word)).min().map(|(_, name)| name)
}

/// What to say after "unknown name": nothing, or "did you mean 'name'?".
pub fn hint<'n>(word: &str, known: impl IntoIterator<Item = &'n str>) -> String {
    nearest(word, known).map_or_else(String::new, |name| format!("\n  help: did you mean '{name}'?"))
}

/// How many letters to insert, remove, replace or exchange with their neighbours (optimal string alignment).
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replaced.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_found() {
        let known = ["main", "memsafety", "memcleanup", "kind", "bkind"];
        assert_eq!(nearest("mian", known), Some("main"));
        assert_eq!(nearest("memsafty", known), Some("memsafety"));
        assert_eq!(nearest("kindd", known), Some("kind"));
        assert_eq!(nearest("termination", known), None);
        assert_eq!(nearest("", known), None);
    }
}
