/* Types of headers, as large as the system's and with each member where the system has it. */
#define _GNU_SOURCE
#include <complex.h>
#include <dirent.h>
#include <fcntl.h>
#include <fenv.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <regex.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/poll.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#define SIZE(type) printf("%s %zu %zu\n", #type, sizeof(type), _Alignof(type));
#define PLACE(type, member) printf("%s.%s %zu %zu\n", #type, #member, offsetof(type, member), sizeof(((type *)0)->member));
int main(void) {
  SIZE(struct stat) SIZE(max_align_t) SIZE(pthread_barrier_t) SIZE(pthread_mutex_t) SIZE(pthread_cond_t)
  SIZE(pthread_attr_t) SIZE(pthread_rwlock_t) SIZE(struct dirent) SIZE(off_t) SIZE(off64_t) SIZE(ino_t) SIZE(time_t)
  SIZE(struct timespec) SIZE(struct timeval) SIZE(siginfo_t) SIZE(struct sigevent) SIZE(stack_t) SIZE(struct sigaction)
  SIZE(sigset_t) SIZE(union sigval) SIZE(fenv_t) SIZE(fpos_t) SIZE(sem_t) SIZE(regex_t) SIZE(struct termios)
  SIZE(cpu_set_t) SIZE(fd_set) SIZE(fd_mask) SIZE(struct cmsghdr) SIZE(struct msghdr) SIZE(struct sockaddr_un)
  SIZE(struct sockaddr_in6) SIZE(struct rusage) SIZE(struct rlimit) SIZE(locale_t) SIZE(struct lconv)
  SIZE(atomic_uint_fast16_t) SIZE(atomic_intmax_t) SIZE(struct flock) SIZE(struct pollfd)
  PLACE(struct stat, st_dev) PLACE(struct stat, st_ino) PLACE(struct stat, st_mode) PLACE(struct stat, st_nlink)
  PLACE(struct stat, st_uid) PLACE(struct stat, st_rdev) PLACE(struct stat, st_size) PLACE(struct stat, st_blksize)
  PLACE(struct stat, st_blocks) PLACE(struct stat, st_atim) PLACE(struct stat, st_ctim)
  PLACE(siginfo_t, si_code) PLACE(siginfo_t, si_pid) PLACE(siginfo_t, si_uid) PLACE(siginfo_t, si_status)
  PLACE(siginfo_t, si_utime) PLACE(siginfo_t, si_stime) PLACE(siginfo_t, si_value) PLACE(siginfo_t, si_int)
  PLACE(siginfo_t, si_addr) PLACE(siginfo_t, si_addr_lsb) PLACE(siginfo_t, si_lower) PLACE(siginfo_t, si_band)
  PLACE(siginfo_t, si_fd) PLACE(siginfo_t, si_timerid) PLACE(siginfo_t, si_overrun) PLACE(siginfo_t, si_syscall)
  PLACE(struct sigevent, sigev_value) PLACE(struct sigevent, sigev_notify)
  PLACE(struct sigevent, sigev_notify_function) PLACE(struct sigevent, sigev_notify_attributes)
  PLACE(struct dirent, d_ino) PLACE(struct dirent, d_fileno) PLACE(struct dirent, d_type) PLACE(struct dirent, d_name)
  printf("%lx %lx %zu\n", (long)_IOR('T', 0x2A, struct termios), (long)_IO('x', 3), CMSG_SPACE(sizeof(int)));
  printf("%d %d %d %d\n", B9600, SOCK_CLOEXEC, NFDBITS, (int)IN_CLASSC(0xc0a80000));
  printf("%s %s %s %s\n", PRIXPTR, SCNx16, PRIdFAST32, SCNuMAX);
  printf("%d %d %d %d\n", !!S_ISSOCK(0140000), !!WCOREDUMP(0x8b), WIFCONTINUED(0xffff), W_EXITCODE(3, 0));
  struct timeval a = {1, 600000}, b = {1, 600000}, sum;
  timeradd(&a, &b, &sum);
  printf("%ld %ld %d %d\n", (long)sum.tv_sec, (long)sum.tv_usec, timercmp(&sum, &a, >), timerisset(&a));
  double complex z = CMPLX(0.0, -0.0);
  printf("%d %g %g\n", !!signbit(cimag(z)), creal(CMPLX(0.0, INFINITY)), cimagf(conjf(1 + 2 * I)));
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(3, &set);
  CPU_SET(70, &set);
  CPU_CLR(3, &set);
  printf("%d %d %d %d\n", CPU_ISSET(3, &set), CPU_ISSET(70, &set), CPU_ISSET(5000, &set), CPU_COUNT(&set));
  struct in6_addr any = IN6ADDR_ANY_INIT, own = IN6ADDR_LOOPBACK_INIT;
  printf("%d %d %d\n", IN6_IS_ADDR_UNSPECIFIED(&any), IN6_IS_ADDR_LOOPBACK(&own), IN6_ARE_ADDR_EQUAL(&any, &own));
  printf("%ld %d %d %d\n", (long)__STDC_VERSION__, __GLIBC__, __WORDSIZE, (int)_POSIX_C_SOURCE);
  return 0;
}
