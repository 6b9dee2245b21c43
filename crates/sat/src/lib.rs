//! The SAT solver CaDiCaL, asked for proofs: clauses in, a proof in LRAT out.
//!
//! Crate `bitwuzla` compiles the solver, which is Bitwuzla's own, and its C functions are called here. Each question gets a
//! solver of its own. The clauses go through CaDiCaL's reader of DIMACS: then a proof numbers them as the file does,
//! however they are simplified while they are read. Nothing here needs to be right: the proof is checked by crate `lrat`.

#![allow(unsafe_code)]

mod trim;

use lrat::Cnf;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsRawFd, FromRawFd};
use std::ptr;

pub use trim::trim;

// Linked for CaDiCaL's symbols only.
use bitwuzla as _;

unsafe extern "C" {
    fn ccadical_init() -> *mut c_void;
    fn ccadical_release(solver: *mut c_void);
    fn ccadical_set_option(solver: *mut c_void, name: *const c_char, value: c_int);
    fn ccadical_trace_proof(solver: *mut c_void, file: *mut libc::FILE, name: *const c_char) -> c_int;
    fn ccadical_close_proof(solver: *mut c_void);
    fn ccadical_read_dimacs(
        solver: *mut c_void,
        path: *const c_char,
        variables: *mut c_int,
        strict: c_int,
    ) -> *const c_char;
    fn ccadical_set_terminate(
        solver: *mut c_void,
        state: *mut c_void,
        stop: Option<extern "C" fn(*mut c_void) -> c_int>,
    );
    fn ccadical_solve(solver: *mut c_void) -> c_int;
    fn ccadical_val(solver: *mut c_void, literal: c_int) -> c_int;
}

/// What became of clauses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// They can all be true: the values of the variables, from variable 1 on.
    Sat(Vec<bool>),
    /// They cannot: the proof, as CaDiCaL wrote it, in text.
    Unsat(Vec<u8>),
    /// The question was given up: it was told to stop, or the proof became too long.
    Stopped,
}

/// Solves the clauses. `stop` is asked now and then, and must not panic; proofs of more than `most` bytes are given up.
pub fn solve(cnf: &Cnf, stop: &mut dyn FnMut() -> bool, most: u64) -> io::Result<Outcome> {
    let clauses = in_memory(cnf.write().as_bytes())?;
    let path = CString::new(format!("/proc/self/fd/{}", clauses.as_raw_fd()))?;
    let mut proof = Buffer::new()?;
    // SAFETY: a new solver, used on this thread and released below. Options and tracing come before clauses, as it demands.
    let solver = unsafe {
        let solver = ccadical_init();
        ccadical_set_option(solver, c"lrat".as_ptr(), 1);
        ccadical_set_option(solver, c"binary".as_ptr(), 0);
        ccadical_trace_proof(solver, proof.file, c"proof".as_ptr());
        solver
    };
    let mut limit = Limit { stop, file: proof.file, most };
    let mut variables: c_int = 0;
    // SAFETY: the solver is alive, the path is a terminated string, and `limit` outlives the call that uses it.
    let result = unsafe {
        let complaint = ccadical_read_dimacs(solver, path.as_ptr(), &raw mut variables, 1);
        if !complaint.is_null() {
            let complaint = CStr::from_ptr(complaint).to_string_lossy().into_owned();
            ccadical_release(solver);
            return Err(io::Error::other(complaint));
        }
        ccadical_set_terminate(solver, (&raw mut limit).cast(), Some(is_over));
        let result = ccadical_solve(solver);
        ccadical_set_terminate(solver, ptr::null_mut(), None);
        result
    };
    // SAFETY: values exist after the answer 10 (satisfiable), and only then are asked for.
    let outcome = unsafe {
        let values = |solver| (1..=cnf.variables()).map(move |v| ccadical_val(solver, v) > 0).collect();
        let outcome = match result {
            10 => Outcome::Sat(values(solver)),
            20 => Outcome::Unsat(Vec::new()),
            _ => Outcome::Stopped,
        };
        ccadical_close_proof(solver);
        ccadical_release(solver);
        outcome
    };
    Ok(match outcome {
        Outcome::Unsat(_) => Outcome::Unsat(proof.take()),
        other => other,
    })
}

struct Limit<'a> {
    stop: &'a mut dyn FnMut() -> bool,
    file: *mut libc::FILE,
    most: u64,
}

extern "C" fn is_over(state: *mut c_void) -> c_int {
    // SAFETY: `solve` passes its own `Limit` and waits; the file is open until the solver is released.
    let (limit, length) = unsafe {
        let limit = &mut *state.cast::<Limit<'_>>();
        let length = libc::ftell(limit.file);
        (limit, length)
    };
    c_int::from(u64::try_from(length).is_ok_and(|length| length > limit.most) || (limit.stop)())
}

/// A file that has no name and is gone when it is closed.
fn in_memory(bytes: &[u8]) -> io::Result<File> {
    // SAFETY: the name is a terminated string; the descriptor is new and ours.
    let mut file = unsafe {
        match libc::memfd_create(c"clauses".as_ptr(), libc::MFD_CLOEXEC) {
            -1 => return Err(io::Error::last_os_error()),
            descriptor => File::from_raw_fd(descriptor),
        }
    };
    file.write_all(bytes)?;
    Ok(file)
}

/// A stream of the C library that writes into memory.
struct Buffer {
    file: *mut libc::FILE,
    /// Where the library says what was written; on the heap, since it keeps the address.
    written: Box<(*mut c_char, libc::size_t)>,
}

impl Buffer {
    fn new() -> io::Result<Buffer> {
        let mut written: Box<(*mut c_char, libc::size_t)> = Box::new((ptr::null_mut(), 0));
        // SAFETY: both places live as long as the stream.
        let file = unsafe { libc::open_memstream(&raw mut written.0, &raw mut written.1) };
        if file.is_null() { Err(io::Error::last_os_error()) } else { Ok(Buffer { file, written }) }
    }

    /// What was written.
    fn take(&mut self) -> Vec<u8> {
        // SAFETY: after flushing, the library has told where how many bytes are.
        unsafe {
            libc::fflush(self.file);
            let (start, length) = *self.written;
            if start.is_null() { Vec::new() } else { std::slice::from_raw_parts(start.cast::<u8>(), length).to_vec() }
        }
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: the stream is open, nobody else has it, and the memory is the caller's once it is closed.
        unsafe {
            libc::fclose(self.file);
            libc::free(self.written.0.cast());
        }
    }
}
