//! Calling Bitwuzla so that every failure comes back as a value.
//!
//! There are two ways to fail. Misuse of the interface ends in the *abort callback*: after it returns, the C function
//! returns a null result, so the callback only has to note the message and the caller to look for it. Any other C++
//! exception (out of memory, an unsupported combination of theories) passes through the C function; `guard.cpp` catches
//! it. Neither unwinds into or out of Rust code that could be harmed: the only Rust frame in between is `run_body`.

use std::cell::Cell;
use std::ffi::{CStr, c_char, c_void};
use std::fmt;

use crate::raw;

/// Why a call failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// Bitwuzla refused the call; nothing changed.
    Misuse(String),
    /// The call broke off in the middle. The solver object must not be used again.
    Broken(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Misuse(message) => write!(f, "Bitwuzla refused a call: {message}"),
            Error::Broken(message) => write!(f, "Bitwuzla broke off: {message}"),
        }
    }
}

impl std::error::Error for Error {}

thread_local! {
    /// What the abort callback said during the current call on this thread.
    static ABORT_MESSAGE: Cell<Option<String>> = const { Cell::new(None) };
}

/// Called by Bitwuzla inside a C++ catch block: must return normally.
unsafe extern "C" fn note_abort(message: *const c_char) {
    let text = if message.is_null() {
        String::new()
    } else {
        // SAFETY: Bitwuzla passes the characters of a live std::string.
        unsafe { CStr::from_ptr(message) }.to_string_lossy().trim().to_string()
    };
    let text = text.strip_prefix("bitwuzla: error:").map_or(text.as_str(), str::trim).to_string();
    // On a thread that is being torn down the message is lost, and the null result has to do.
    let _ = ABORT_MESSAGE.try_with(|slot| slot.set(Some(text)));
}

/// Installs the abort callback for this thread; without it Bitwuzla would call `exit`.
pub(crate) fn install_abort_callback() {
    // SAFETY: the callback is a function that lives forever and never unwinds.
    unsafe { raw::bitwuzla_set_abort_callback(Some(note_abort)) }
}

/// The closure on its way through C++, and its result on the way back.
struct Trip<F, R> {
    body: Option<F>,
    result: Option<R>,
}

unsafe extern "C-unwind" fn run_body<F: FnOnce() -> R, R>(state: *mut c_void) {
    // SAFETY: `call` passes a pointer to its own `Trip<F, R>` and waits.
    let trip = unsafe { &mut *state.cast::<Trip<F, R>>() };
    if let Some(body) = trip.body.take() {
        trip.result = Some(body());
    }
}

/// Runs `body`, which calls into Bitwuzla and does nothing else (it must not panic).
pub(crate) fn call<F: FnOnce() -> R, R>(body: F) -> Result<R, Error> {
    let mut trip = Trip { body: Some(body), result: None };
    let mut message = [0 as c_char; 256];
    ABORT_MESSAGE.set(None);
    // SAFETY: `run_body::<F, R>` gets the state it expects, and `message` has the capacity stated.
    let threw = unsafe {
        raw::foldback_guard(run_body::<F, R>, (&raw mut trip).cast(), message.as_mut_ptr(), message.len()) != 0
    };
    if threw {
        // SAFETY: the guard wrote a terminated string.
        let text = unsafe { CStr::from_ptr(message.as_ptr()) }.to_string_lossy().into_owned();
        return Err(Error::Broken(text));
    }
    match (ABORT_MESSAGE.take(), trip.result) {
        (None, Some(result)) => Ok(result),
        (Some(message), _) => Err(Error::Misuse(message)),
        (None, None) => Err(Error::Broken("the call did not happen".to_string())),
    }
}

/// What Bitwuzla logged on this thread since the last call: its reasons for giving up.
pub(crate) fn take_log() -> String {
    let mut message = [0 as c_char; 512];
    // SAFETY: `message` has the capacity stated, and a terminated string is written.
    let text = unsafe {
        raw::foldback_take_log(message.as_mut_ptr(), message.len());
        CStr::from_ptr(message.as_ptr())
    };
    text.to_string_lossy().trim().to_string()
}
