//! The C interface, exactly as declared by `bitwuzla-sys` (see `build.rs` for the one change), and our guard.

#![allow(non_camel_case_types, non_snake_case, non_upper_case_globals, unreachable_pub, unsafe_code, dead_code)]
#![allow(clippy::all)]

include!(concat!(env!("OUT_DIR"), "/declarations.rs"));

unsafe extern "C" {
    pub fn foldback_guard(
        body: unsafe extern "C-unwind" fn(*mut ::std::os::raw::c_void),
        state: *mut ::std::os::raw::c_void,
        message: *mut ::std::os::raw::c_char,
        capacity: usize,
    ) -> ::std::os::raw::c_int;
    pub fn foldback_take_log(message: *mut ::std::os::raw::c_char, capacity: usize);
}
