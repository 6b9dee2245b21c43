//! What protects here: asked of the kernel once.

use crate::{calls, files};
use std::sync::LazyLock;

/// What the system offers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Protection {
    /// The version of Landlock, or why there is none.
    pub files: Result<u32, String>,
    /// The filter of system calls, or why there is none.
    pub calls: Result<(), String>,
}

impl Protection {
    /// Whether what must be there is; if not, what is missing.
    pub fn suffices(&self) -> Result<(), String> {
        self.files.as_ref().map_err(Clone::clone)?;
        self.calls.clone()
    }
}

pub fn protection() -> &'static Protection {
    static FOUND: LazyLock<Protection> = LazyLock::new(|| Protection {
        files: files::version().ok_or_else(|| {
            "Landlock is missing: it needs Linux 5.13 with `landlock` among its security modules".to_owned()
        }),
        calls: match calls::Filter::new(false) {
            None => Err("the system calls of this processor are not known to the filter".to_owned()),
            Some(_) if !calls::is_there() => Err("filters of system calls (seccomp) are missing".to_owned()),
            Some(_) => Ok(()),
        },
    });
    &FOUND
}

/// Whether there are namespaces of users and network: more than is needed. Tried by a process of its own.
pub fn namespaces() -> bool {
    // SAFETY: the new process makes one call and leaves at once.
    unsafe {
        let pid = libc::fork();
        if pid == 0 {
            libc::_exit(i32::from(libc::unshare(libc::CLONE_NEWUSER | libc::CLONE_NEWNET) != 0));
        }
        let mut status = 0;
        pid > 0 && libc::waitpid(pid, &mut status, 0) == pid && status == 0
    }
}
