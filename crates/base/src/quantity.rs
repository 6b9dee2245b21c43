//! Times and sizes as people write them: `15min`, `8GB`.

use std::time::Duration;

/// A number with a unit, as its number times what `unit` gives for the unit.
fn quantity(text: &str, unit: impl Fn(&str) -> Option<f64>) -> Option<f64> {
    let text = text.trim();
    let split = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, suffix) = text.split_at(split);
    let value = number.parse::<f64>().ok()? * unit(suffix.trim())?;
    (value > 0.0 && value.is_finite()).then_some(value)
}

/// A time; `flag` is where it was given.
pub fn duration(text: &str, flag: &str) -> Result<Duration, String> {
    let seconds = quantity(text, |unit| match unit {
        "ms" => Some(0.001),
        "" | "s" => Some(1.0),
        "m" | "min" => Some(60.0),
        "h" => Some(3600.0),
        _ => None,
    });
    seconds
        .filter(|s| *s < 1e9)
        .map(Duration::from_secs_f64)
        .ok_or_else(|| format!("{flag} '{text}' is not a time such as 900s, 15min or 500ms"))
}

pub fn bytes(text: &str) -> Result<u64, String> {
    let bytes = quantity(text, |unit| match unit.to_ascii_uppercase().as_str() {
        "" | "B" => Some(1.0),
        "K" | "KB" => Some(1e3),
        "M" | "MB" => Some(1e6),
        "G" | "GB" => Some(1e9),
        _ => None,
    });
    bytes.map(|b| b as u64).ok_or_else(|| format!("--memory-limit '{text}' is not a size such as 8GB or 500MB"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities() {
        let duration = |text: &str| duration(text, "--time-limit");
        assert_eq!(duration("15").unwrap(), Duration::from_secs(15));
        assert_eq!(duration("1.5min").unwrap(), Duration::from_secs(90));
        assert_eq!(duration("500 ms").unwrap(), Duration::from_millis(500));
        assert_eq!(bytes("8GB").unwrap(), 8_000_000_000);
        assert_eq!(bytes("10m").unwrap(), 10_000_000);
        for bad in ["", "x", "-1", "0", "1 year", "1e9s", "99999999999"] {
            assert!(duration(bad).is_err(), "{bad}");
        }
        assert!(bytes("8 apples").is_err());
    }
}
