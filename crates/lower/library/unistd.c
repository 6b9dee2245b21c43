/* unistd.h and sys/socket.h: bytes from and to descriptors. What is read is an input; what is written goes nowhere. */

typedef __typeof__(sizeof(0)) size_t;

typedef __typeof__((char *)0 - (char *)0) ssize_t;

int __VERIFIER_nondet_int(void);
long __VERIFIER_nondet_long(void);
void __VERIFIER_assume(int condition);
void __foldback_havoc(void *p, size_t n);
void __foldback_unsupported(const char *what);
void __foldback_check_read(const void *p, size_t n);

/* Some of the bytes asked for, or -1. */
static ssize_t __foldback_transferred(size_t count) {
  ssize_t bytes = __VERIFIER_nondet_long();
  __VERIFIER_assume(bytes == -1 || bytes >= 0 && (size_t)bytes <= count);
  return bytes;
}

static ssize_t __foldback_receive(void *buffer, size_t count) {
  ssize_t bytes = __foldback_transferred(count);
  if (bytes > 0)
    __foldback_havoc(buffer, bytes);
  return bytes;
}

static ssize_t __foldback_send(const void *buffer, size_t count) {
  if (count != 0)
    __foldback_check_read(buffer, count);
  return __foldback_transferred(count);
}

ssize_t read(int descriptor, void *buffer, size_t count) {
  (void)descriptor;
  return __foldback_receive(buffer, count);
}

ssize_t recv(int socket, void *buffer, size_t count, int flags) {
  (void)socket;
  (void)flags;
  return __foldback_receive(buffer, count);
}

ssize_t readlink(const char *path, char *buffer, size_t size) {
  while (*path != 0)
    path++;
  return __foldback_receive(buffer, size);
}

ssize_t write(int descriptor, const void *buffer, size_t count) {
  (void)descriptor;
  return __foldback_send(buffer, count);
}

ssize_t send(int socket, const void *buffer, size_t count, int flags) {
  (void)socket;
  (void)flags;
  return __foldback_send(buffer, count);
}

char *getcwd(char *buffer, size_t size) {
  if (buffer == 0)
    __foldback_unsupported("getcwd that allocates");
  ssize_t bytes = __foldback_receive(buffer, size);
  if (bytes < 2)
    return 0;
  buffer[0] = '/';
  buffer[bytes - 1] = 0;
  return buffer;
}
