//! Runs what others wrote so that it can do no harm: the program under verification, and the compiler that reads its text.
//!
//! A [`Job`] is one command in a private [`Folder`]. Nothing of ours reaches it but what it is given: no environment, no
//! standard input, no open files. Four walls stand around it, each a file here:
//!
//! - `files`: Landlock. It reads the system's libraries and what it is given, and writes nothing but its own folder.
//! - `calls`: a filter of system calls. No network, no other processes, no signals to anyone but itself, no change of
//!   rights or owners. (For the program; a compiler needs its own processes.)
//! - `limits`: CPU time, file sizes, open files, and by looking at it every few milliseconds memory, disk and wall time.
//! - `supervise`: a process of our own between it and us, which ends it and all that it has started: when it ends, when its
//!   time is over, and when we are gone, however that came.
//!
//! New namespaces (users, network, processes' messages) are a fifth one where the system allows them. They are not
//! needed: the first two forbid what they would hide.

#![allow(unsafe_code)]

mod calls;
mod files;
mod folder;
mod job;
mod limits;
mod protection;
mod supervise;

pub use files::installation;
pub use folder::{Folder, clean_up};
pub use job::{Ended, Finished, Job, Profile, Wall};
pub use limits::Limits;
pub use protection::{Protection, namespaces, protection};
