//! Hostile programs, compiled and run inside the walls: none of them does harm, whatever it tries, and all of them end.

#![allow(clippy::print_stderr, clippy::print_stdout)]

use sandbox::{Ended, Finished, Folder, Job, Limits, Profile, Wall};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What programs start with. `say` reports over the channel what has worked that must not.
const PREAMBLE: &str = r#"
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>
static void say(const char *text) { write(200, text, strlen(text)); write(200, "\n", 1); }
"#;

/// A place with something to lose, and the folder where programs run.
struct Scene {
    home: PathBuf,
    secret: PathBuf,
    folder: Folder,
    _home: Folder,
}

impl Scene {
    /// `None`: the kernel offers no walls, or there is no compiler.
    fn new() -> Option<Scene> {
        if let Err(why) = sandbox::protection().suffices() {
            eprintln!("skipped: {why}");
            return None;
        }
        if compiler().is_none() {
            eprintln!("skipped: there is no C compiler");
            return None;
        }
        let (home, folder) = (Folder::new().expect("a folder"), Folder::new().expect("a folder"));
        let secret = home.path().join("secret");
        std::fs::write(&secret, "secret").expect("a file");
        for name in ["build", "run"] {
            std::fs::create_dir(folder.path().join(name)).expect("a folder");
        }
        Some(Scene { home: home.path().to_owned(), secret, folder, _home: home })
    }

    fn compile(&self, text: &str) -> PathBuf {
        let build = self.folder.path().join("build");
        std::fs::write(build.join("program.c"), format!("{PREAMBLE}{text}")).expect("a file");
        let define = |name: &str, path: &Path| format!("-D{name}=\"{}\"", path.display());
        let arguments = [
            "-O0".into(),
            "-w".into(),
            define("HOME", &self.home),
            define("SECRET", &self.secret),
            "program.c".into(),
            "-o".into(),
            "program".into(),
            "-lpthread".into(),
        ];
        let job = Job {
            program: compiler().expect("a compiler"),
            arguments: arguments.into_iter().map(|a: String| a.into()).collect(),
            environment: vec![("PATH".into(), "/usr/bin:/bin".into()), ("TMPDIR".into(), build.clone().into())],
            folder: build.clone(),
            readable: Vec::new(),
            writable: vec![build.clone()],
            profile: Profile::Compiler,
            wall: Wall::Confined,
            limits: Limits::within(Duration::from_secs(60)),
        };
        let finished = job.run(&self.folder).expect("the compiler runs");
        assert_eq!(finished.ended, Ended::Exit(0), "{}", finished.messages);
        build.join("program")
    }

    fn job(&self, binary: &Path, limits: Limits) -> Job {
        let run = self.folder.path().join("run");
        Job {
            program: binary.to_owned(),
            arguments: Vec::new(),
            environment: Vec::new(),
            folder: run.clone(),
            readable: vec![binary.to_owned()],
            writable: vec![run],
            profile: Profile::Program { leaks: false },
            wall: Wall::Confined,
            limits,
        }
    }

    fn run(&self, text: &str, limits: Limits) -> Finished {
        let job = self.job(&self.compile(text), limits);
        job.run(&self.folder).expect("the program runs")
    }

    /// Runs a program that reports what it could do: nothing.
    fn can_nothing(&self, name: &str, text: &str) {
        let finished = self.run(text, Limits::within(Duration::from_secs(20)));
        assert_eq!(String::from_utf8_lossy(&finished.report), "tried\n", "{name}: {:?}", finished.ended);
        assert_eq!(std::fs::read_to_string(&self.secret).expect("it is there"), "secret", "{name}");
        let entries = std::fs::read_dir(&self.home).expect("it is there").count();
        assert_eq!(entries, 1, "{name}: something was made in the home folder");
    }
}

fn compiler() -> Option<PathBuf> {
    ["/usr/bin/cc", "/bin/cc", "/usr/bin/gcc"].iter().map(PathBuf::from).find(|path| path.is_file())
}

fn short() -> Limits {
    Limits::within(Duration::from_secs(2))
}

#[test]
fn files_of_others_stay_closed_and_whole() {
    let Some(scene) = Scene::new() else { return };
    scene.can_nothing(
        "files",
        r#"int main(void) {
          char b[64];
          if (open(SECRET, O_RDONLY) >= 0) say("read");
          if (open(SECRET, O_WRONLY) >= 0) say("write");
          if (open(SECRET, O_RDONLY | O_TRUNC) >= 0) say("truncate by open");
          if (truncate(SECRET, 0) == 0) say("truncate");
          if (unlink(SECRET) == 0) say("unlink");
          if (rename(SECRET, HOME "/other") == 0) say("rename");
          if (chmod(SECRET, 0777) == 0) say("chmod");
          if (chown(SECRET, 1, 1) == 0) say("chown");
          if (creat(HOME "/new", 0600) >= 0) say("create");
          if (mkdir(HOME "/dir", 0700) == 0) say("mkdir");
          if (link(SECRET, "stolen") == 0) say("link");
          if (symlink(SECRET, "linked") == 0 && open("linked", O_RDONLY) >= 0) say("symlink");
          if (open("/etc/passwd", O_RDONLY) >= 0) say("passwd");
          if (open("/tmp", O_RDONLY | O_DIRECTORY) >= 0) say("tmp");
          if (open("/proc/1/environ", O_RDONLY) >= 0) say("environment of others");
          if (open("/proc/self/../1/cmdline", O_RDONLY) >= 0) say("process 1");
          say("tried");
        }"#,
    );
}

#[test]
fn there_is_no_network() {
    let Some(scene) = Scene::new() else { return };
    scene.can_nothing(
        "network",
        r#"int main(void) {
          for (int family = 0; family < 45; family++)
            for (int type = 1; type < 6; type++)
              if (socket(family, type, 0) >= 0) say("socket");
          int pair[2];
          if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0) say("socketpair");
          if (syscall(425, 8, (char[256]){0}) >= 0) say("io_uring");
          say("tried");
        }"#,
    );
}

#[test]
fn there_are_no_other_processes() {
    let Some(scene) = Scene::new() else { return };
    scene.can_nothing(
        "processes",
        r#"static void *thread(void *x) { say("thread"); return x; }
        static int child(void *x) { say("child"); return 0; }
        int main(void) {
          static char stack[65536];
          pthread_t t;
          for (int i = 0; i < 100; i++) if (fork() >= 0) say("fork");
          if (vfork() == 0) { say("vfork"); _exit(0); }
          if (clone(child, stack + sizeof stack, SIGCHLD, 0) >= 0) say("clone");
          if (clone(child, stack + sizeof stack, CLONE_VM | SIGCHLD, 0) >= 0) say("clone vm");
          if (pthread_create(&t, 0, thread, 0) == 0) say("pthread");
          if (system("true") == 0) say("system");
          if (popen("true", "r")) say("popen");
          if (daemon(0, 0) == 0) say("daemon");
          if (setsid() >= 0) say("setsid");
          say("tried");
        }"#,
    );
}

#[test]
fn signals_reach_nobody_else() {
    let Some(scene) = Scene::new() else { return };
    scene.can_nothing(
        "signals",
        r#"int main(void) {
          if (kill(getppid(), 0) == 0) say("parent");
          if (kill(1, 0) == 0) say("init");
          if (kill(-1, 0) == 0) say("all");
          if (kill(0, 0) == 0) say("group");
          if (syscall(SYS_tgkill, getppid(), getppid(), 0) == 0) say("tgkill");
          if (syscall(SYS_tkill, getppid(), 0) == 0) say("tkill");
          int p[2];
          pipe(p);
          if (fcntl(p[0], F_SETOWN, getppid()) == 0) say("owner");
          if (prctl(PR_SET_PDEATHSIG, 0) == 0) say("survival");
          if (syscall(SYS_ptrace, 16, getppid(), 0, 0) == 0) say("ptrace");
          struct rlimit all = {RLIM_INFINITY, RLIM_INFINITY};
          if (setrlimit(RLIMIT_CPU, &all) == 0) say("limits");
          say("tried");
        }"#,
    );
}

#[test]
fn nothing_of_ours_is_there() {
    let Some(scene) = Scene::new() else { return };
    scene.can_nothing(
        "surroundings",
        r#"extern char **environ;
        int main(void) {
          char c;
          for (char **e = environ; *e; e++) say(*e);
          if (getenv("HOME") || getenv("PATH")) say("environment");
          if (read(0, &c, 1) > 0) say("input");
          for (int fd = 3; fd < 1024; fd++) if (fd != 200 && fcntl(fd, F_GETFD) != -1) say("open file");
          if (open("../build/program.c", O_RDONLY) >= 0) say("sources");
          say("tried");
        }"#,
    );
}

#[test]
fn rights_cannot_be_had() {
    let Some(scene) = Scene::new() else { return };
    scene.can_nothing(
        "rights",
        r#"int main(void) {
          if (setuid(1) == 0) say("setuid");
          if (syscall(SYS_mount, "none", "/mnt", "tmpfs", 0, 0) == 0) say("mount");
          if (chroot(".") == 0) say("chroot");
          if (unshare(CLONE_NEWUSER) == 0) say("unshare");
          if (sethostname("x", 1) == 0) say("hostname");
          if (syscall(SYS_memfd_create, "x", 0) >= 0) say("memfd");
          if (syscall(SYS_bpf, 0, 0, 0) >= 0) say("bpf");
          if (syscall(SYS_keyctl, 0, -3, 0) >= 0) say("keys");
          if (syscall(SYS_shmget, 1, 4096, 01666) >= 0) say("shared memory");
          say("tried");
        }"#,
    );
}

#[test]
fn constructors_are_inside_too() {
    let Some(scene) = Scene::new() else { return };
    scene.can_nothing(
        "constructor",
        r#"__attribute__((constructor)) static void early(void) {
          if (open(SECRET, O_RDONLY) >= 0) say("read");
          if (fork() >= 0) say("fork");
        }
        int main(void) { say("tried"); }"#,
    );
}

#[test]
fn time_is_limited() {
    let Some(scene) = Scene::new() else { return };
    let began = Instant::now();
    let sleeps = "int main(void) { signal(SIGTERM, SIG_IGN); for (;;) pause(); }";
    assert_eq!(scene.run(sleeps, short()).ended, Ended::Time);
    let works = "int main(void) { for (;;) ; }";
    let ended =
        scene.run(works, Limits { cpu: Duration::from_secs(1), ..Limits::within(Duration::from_secs(30)) }).ended;
    assert!(matches!(ended, Ended::Signal(_)), "{ended:?}");
    assert!(began.elapsed() < Duration::from_secs(60));
}

#[test]
fn memory_is_limited() {
    let Some(scene) = Scene::new() else { return };
    let text = "int main(void) { for (;;) { char *p = malloc(1 << 20); if (p) memset(p, 1, 1 << 20); } }";
    let limits = Limits { memory: 100 << 20, ..Limits::within(Duration::from_secs(60)) };
    assert_eq!(scene.run(text, limits).ended, Ended::Memory);
}

/// Memory that is only read costs tables of the kernel, which are no resident pages.
#[test]
fn tables_of_the_kernel_are_memory() {
    let Some(scene) = Scene::new() else { return };
    let text = r#"int main(void) {
      size_t size = 1ul << 40;
      volatile char *p = mmap(0, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (p == MAP_FAILED) { say("refused"); return 0; }
      madvise((void *)p, size, MADV_NOHUGEPAGE);
      /* As much as a machine has, if nobody looks; not more of this one. */
      for (size_t i = 0; i < 1500; i++) (void)p[i << 21];
      for (;;) pause();
    }"#;
    let limits = Limits { memory: 5 << 20, ..Limits::within(Duration::from_secs(20)) };
    assert_eq!(scene.run(text, limits).ended, Ended::Memory);
}

/// What has no name any more still takes place as long as it is open or mapped, and nobody could count it: names stay.
#[test]
fn disk_is_not_taken_without_names() {
    let Some(scene) = Scene::new() else { return };
    scene.can_nothing(
        "files without names",
        r#"int make(const char *name) { return open(name, O_CREAT | O_RDWR, 0600); }
        int main(void) {
          mkdir("d", 0700);
          if (make("a") < 0 || make("b") < 0 || make("d/c") < 0) say("no files at all");
          if (unlink("a") == 0) say("unlink");
          if (unlinkat(AT_FDCWD, "a", 0) == 0) say("unlinkat");
          if (remove("a") == 0) say("remove");
          if (rename("a", "b") == 0) say("rename");
          if (rename("d/c", "b") == 0) say("rename from a folder");
          if (syscall(SYS_renameat2, AT_FDCWD, "d/c", AT_FDCWD, "b", 0) == 0) say("renameat2");
          if (syscall(SYS_renameat2, AT_FDCWD, "d/c", AT_FDCWD, "b", 2) == 0) say("exchange");
          if (link("a", "l") == 0 && rename("b", "l") == 0) say("rename over a second name");
          if (open(".", O_TMPFILE | O_RDWR, 0600) >= 0) say("temporary file");
          if (syscall(SYS_open, ".", O_TMPFILE | O_WRONLY, 0600) >= 0) say("temporary file by open");
          if (tmpfile()) say("tmpfile");
          say("tried");
        }"#,
    );
}

#[test]
fn disk_is_limited() {
    let Some(scene) = Scene::new() else { return };
    let huge =
        "int main(void) { static char b[1 << 20]; int f = creat(\"huge\", 0600); for (;;) write(f, b, sizeof b); }";
    let ended = scene.run(huge, Limits { file: 8 << 20, ..Limits::within(Duration::from_secs(60)) }).ended;
    assert_eq!(ended, Ended::Signal(libc::SIGXFSZ));
    let many =
        "int main(void) { char n[32]; for (int i = 0;; i++) { sprintf(n, \"f%d\", i); close(creat(n, 0600)); } }";
    let ended = scene.run(many, Limits { files: 500, ..Limits::within(Duration::from_secs(60)) }).ended;
    assert_eq!(ended, Ended::Disk);
    // Where no path leads to.
    let deep = "int main(void) { static char n[251]; memset(n, 'd', 250); for (int i = 0; i < 40; i++) { mkdir(n, 0700); chdir(n); } for (;;) pause(); }";
    let ended = scene.run(deep, Limits::within(Duration::from_secs(20))).ended;
    assert_eq!(ended, Ended::Disk);
}

#[test]
fn output_goes_nowhere() {
    let Some(scene) = Scene::new() else { return };
    let text = "int main(void) { for (int i = 0; i < 300000; i++) { puts(\"output\"); fputs(\"output\\n\", stderr); } return 5; }";
    let finished = scene.run(text, Limits::within(Duration::from_secs(60)));
    assert_eq!((finished.ended, finished.report.len()), (Ended::Exit(5), 0));
    let report = "int main(void) { for (;;) say(\"report\"); }";
    let finished = scene.run(report, Limits { file: 4 << 20, ..Limits::within(Duration::from_secs(60)) });
    assert!(matches!(finished.ended, Ended::Signal(_)), "{:?}", finished.ended);
    assert!(finished.report.len() <= 1 << 20);
}

/// Without the filter of calls, as a compiler is: what it leaves in the background ends with it.
#[test]
fn nothing_stays_in_the_background() {
    let Some(scene) = Scene::new() else { return };
    let text = r#"int main(void) {
      if (fork() == 0) { setsid(); if (fork() == 0) { setsid(); for (;;) { FILE *f = fopen("alive", "w"); if (f) fclose(f); usleep(1000); } } for (;;) pause(); }
      usleep(100000);
      return 3;
    }"#;
    let binary = scene.compile(text);
    let job = Job { profile: Profile::Compiler, ..scene.job(&binary, Limits::within(Duration::from_secs(20))) };
    let began = Instant::now();
    assert_eq!(job.run(&scene.folder).expect("it runs").ended, Ended::Exit(3));
    assert!(began.elapsed() < Duration::from_secs(10), "it waits for those who hold its output");
    let alive = scene.folder.path().join("run/alive");
    assert!(alive.exists());
    std::fs::remove_file(&alive).expect("it is gone");
    std::thread::sleep(Duration::from_millis(50));
    assert!(!alive.exists(), "it is still there");
}

/// The assembler can read files into a program.
#[test]
fn compilers_read_no_secrets() {
    let Some(scene) = Scene::new() else { return };
    let build = scene.folder.path().join("build");
    let text = format!("__asm__(\".incbin \\\"{}\\\"\");\nint main(void) {{ return 0; }}\n", scene.secret.display());
    std::fs::write(build.join("program.c"), text).expect("a file");
    let job = Job {
        program: compiler().expect("a compiler"),
        arguments: ["-c", "program.c", "-o", "program.o"].map(Into::into).to_vec(),
        environment: vec![("PATH".into(), "/usr/bin:/bin".into()), ("TMPDIR".into(), build.clone().into())],
        folder: build.clone(),
        readable: Vec::new(),
        writable: vec![build.clone()],
        profile: Profile::Compiler,
        wall: Wall::Confined,
        limits: Limits::within(Duration::from_secs(60)),
    };
    let finished = job.run(&scene.folder).expect("it runs");
    assert!(finished.ended != Ended::Exit(0), "it reads the secret");
    assert!(!build.join("program.o").exists());
}

/// The private folder has a name that nobody can guess, and is nobody else's.
#[test]
fn folders_are_private_and_gone() {
    use std::os::unix::fs::PermissionsExt;
    let (one, other) = (Folder::new().expect("a folder"), Folder::new().expect("a folder"));
    assert_ne!(one.path(), other.path());
    assert_eq!(std::fs::metadata(one.path()).expect("it is there").permissions().mode() & 0o777, 0o700);
    let path = one.path().to_owned();
    // Rights that were taken away do not keep it.
    std::fs::create_dir_all(path.join("a/b")).expect("folders");
    std::fs::set_permissions(path.join("a"), std::fs::Permissions::from_mode(0o0)).expect("rights");
    drop(one);
    assert!(!path.exists());
}

/// Who makes a folder and is killed leaves none, also where no job runs that has a supervisor: this test's own binary once more, in a
/// folder for temporary files of its own.
#[test]
fn nothing_is_left_of_folders_when_we_are_killed() {
    const CHILD: &str = "FOLDBACK_TEST_MAKES_FOLDERS";
    if std::env::var_os(CHILD).is_some() {
        let (first, _second) = (Folder::new().expect("a folder"), Folder::new().expect("a folder"));
        std::fs::create_dir(first.path().join("build")).expect("a folder");
        std::fs::write(first.path().join("build/program.c"), "int x;").expect("a file");
        println!("made");
        std::thread::sleep(Duration::from_secs(600));
    }
    let place = Folder::new().expect("a folder");
    let mut child = std::process::Command::new(std::env::current_exe().expect("a test"))
        .args(["--exact", "nothing_is_left_of_folders_when_we_are_killed", "--nocapture"])
        .env(CHILD, "1")
        .env("TMPDIR", place.path())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("it runs");
    let mut said = std::io::BufReader::new(child.stdout.take().expect("a pipe"));
    let mut line = String::new();
    while !line.contains("made") {
        line.clear();
        assert!(std::io::BufRead::read_line(&mut said, &mut line).expect("text") > 0, "it ended");
    }
    let count = || std::fs::read_dir(place.path()).expect("a folder").count();
    assert_eq!(count(), 2);
    child.kill().expect("it is killed");
    child.wait().expect("it is gone");
    // Nobody else holds what it wrote to.
    std::io::Read::read_to_string(&mut said, &mut line).expect("the end");
    let until = Instant::now() + Duration::from_secs(20);
    while count() > 0 && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(count(), 0);
}
