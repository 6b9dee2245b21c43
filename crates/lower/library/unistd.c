/* unistd.h and sys/socket.h: bytes from and to descriptors. What is read is an input; what is written goes nowhere. */

typedef __typeof__(sizeof(0)) size_t;

typedef __typeof__((char *)0 - (char *)0) ssize_t;

int __VERIFIER_nondet_int(void);
long __VERIFIER_nondet_long(void);
void __VERIFIER_assume(int condition);
void __foldback_havoc(void *p, size_t n);
void __foldback_unsupported(const char *what);
void __foldback_check_read(const void *p, size_t n);
void __foldback_errno_any_if(int condition);
void __foldback_errno_if(int condition, int value);
void *malloc(size_t size);

/* Some of the bytes asked for, or -1. */
static ssize_t __foldback_transferred(size_t count) {
  ssize_t bytes = __VERIFIER_nondet_long();
  __VERIFIER_assume(bytes == -1 || bytes >= 0 && (size_t)bytes <= count);
  __foldback_errno_any_if(bytes == -1);
  return bytes;
}

/* No file has a negative number: EBADF is 9. */
static ssize_t __foldback_receive(int descriptor, void *buffer, size_t count) {
  __foldback_errno_if(descriptor < 0, 9);
  if (descriptor < 0)
    return -1;
  ssize_t bytes = __foldback_transferred(count);
  if (bytes > 0)
    __foldback_havoc(buffer, bytes);
  return bytes;
}

static ssize_t __foldback_send(int descriptor, const void *buffer, size_t count) {
  __foldback_errno_if(descriptor < 0, 9);
  if (descriptor < 0)
    return -1;
  if (count != 0)
    __foldback_check_read(buffer, count);
  return __foldback_transferred(count);
}

ssize_t read(int descriptor, void *buffer, size_t count) {
  return __foldback_receive(descriptor, buffer, count);
}

ssize_t recv(int socket, void *buffer, size_t count, int flags) {
  (void)flags;
  return __foldback_receive(socket, buffer, count);
}

ssize_t readlink(const char *path, char *buffer, size_t size) {
  while (*path != 0)
    path++;
  return __foldback_receive(0, buffer, size);
}

int __foldback_runs(void);
void __foldback_putchar(int c);
void __foldback_putchar_error(int c);

ssize_t write(int descriptor, const void *buffer, size_t count) {
  /* What just runs shows what it prints. */
  if (__foldback_runs() && (descriptor == 1 || descriptor == 2)) {
    if (count != 0)
      __foldback_check_read(buffer, count);
    const char *bytes = buffer;
    for (size_t i = 0; i < count; i++) {
      if (descriptor == 1)
        __foldback_putchar(bytes[i]);
      else
        __foldback_putchar_error(bytes[i]);
    }
    return (ssize_t)count;
  }
  return __foldback_send(descriptor, buffer, count);
}

ssize_t send(int socket, const void *buffer, size_t count, int flags) {
  (void)flags;
  return __foldback_send(socket, buffer, count);
}

char *getcwd(char *buffer, size_t size) {
  if (buffer == 0)
    __foldback_unsupported("getcwd that allocates");
  ssize_t bytes = __foldback_receive(0, buffer, size);
  __foldback_errno_any_if(bytes < 2);
  if (bytes < 2)
    return 0;
  buffer[0] = '/';
  buffer[bytes - 1] = 0;
  return buffer;
}

ssize_t pread(int descriptor, void *buffer, size_t count, long offset) {
  (void)offset;
  return __foldback_receive(descriptor, buffer, count);
}

ssize_t pwrite(int descriptor, const void *buffer, size_t count, long offset) {
  (void)offset;
  return __foldback_send(descriptor, buffer, count);
}

ssize_t getrandom(void *buffer, size_t count, unsigned flags) {
  (void)flags;
  return __foldback_receive(0, buffer, count);
}

/* All of the bytes, or an error. */
int getentropy(void *buffer, size_t count) {
  ssize_t bytes = __foldback_receive(0, buffer, count);
  return bytes == (ssize_t)count ? 0 : -1;
}

/* A name, cut off without its end where it does not fit. */
int gethostname(char *name, size_t size) {
  int fails = __VERIFIER_nondet_int();
  if (size != 0)
    __foldback_havoc(name, size);
  __foldback_errno_any_if(fails != 0);
  return fails != 0 ? -1 : 0;
}

int pipe(int descriptors[2]) {
  int fails = __VERIFIER_nondet_int();
  __foldback_errno_any_if(fails != 0);
  if (fails != 0)
    return -1;
  int first = __VERIFIER_nondet_int();
  int second = __VERIFIER_nondet_int();
  if (first < 0 || first == 2147483647)
    first = 3;
  if (second < 0 || second == first)
    second = first + 1;
  descriptors[0] = first;
  descriptors[1] = second;
  return 0;
}

/* A number that is free: the other's is not. */
int dup(int descriptor) {
  __foldback_errno_if(descriptor < 0, 9);
  if (descriptor < 0)
    return -1;
  int copy = __VERIFIER_nondet_int();
  if (copy < 0 || copy == descriptor)
    copy = -1;
  __foldback_errno_any_if(copy == -1);
  return copy;
}

static int __foldback_duplicate(int from, int to, int fails) {
  __foldback_errno_if(from < 0 || to < 0, 9);
  if (from < 0 || to < 0)
    return -1;
  __foldback_errno_any_if(fails != 0);
  return fails != 0 ? -1 : to;
}

int dup2(int from, int to) { return __foldback_duplicate(from, to, __VERIFIER_nondet_int()); }

int dup3(int from, int to, int flags) {
  (void)flags;
  return __foldback_duplicate(from, to, from == to ? 1 : __VERIFIER_nondet_int());
}

/* sys/socket.h and arpa/inet.h. */

unsigned short htons(unsigned short x) { return (unsigned short)(x << 8 | x >> 8); }
unsigned short ntohs(unsigned short x) { return (unsigned short)(x << 8 | x >> 8); }
unsigned htonl(unsigned x) { return x << 24 | (x & 0xff00) << 8 | (x >> 8 & 0xff00) | x >> 24; }
unsigned ntohl(unsigned x) { return x << 24 | (x & 0xff00) << 8 | (x >> 8 & 0xff00) | x >> 24; }

/* Four decimal numbers; other forms of addresses are not modelled. */
unsigned inet_addr(const char *text) {
  unsigned address = 0;
  int part = 0;
  while (part < 4) {
    unsigned number = 0;
    if (*text < '0' || *text > '9' || (*text == '0' && text[1] != '.' && text[1] != 0))
      __foldback_unsupported("an address that is not four decimal numbers");
    while (*text >= '0' && *text <= '9') {
      number = number * 10 + (unsigned)(*text - '0');
      if (number > 255)
        __foldback_unsupported("an address that is not four decimal numbers");
      text++;
    }
    address |= number << (8 * part);
    part++;
    if (*text != (part < 4 ? '.' : 0))
      __foldback_unsupported("an address that is not four decimal numbers");
    text++;
  }
  return address;
}

struct __foldback_in_addr {
  unsigned address;
};

/* Up to 16 characters with the end. */
static int __foldback_dotted(unsigned address, char *text) {
  int at = 0;
  int part = 0;
  while (part < 4) {
    unsigned number = address >> (8 * part) & 255;
    if (number >= 100) {
      text[at] = (char)('0' + number / 100);
      at++;
    }
    if (number >= 10) {
      text[at] = (char)('0' + number / 10 % 10);
      at++;
    }
    text[at] = (char)('0' + number % 10);
    at++;
    part++;
    text[at] = part < 4 ? '.' : 0;
    at++;
  }
  return at;
}

static char __foldback_static_address[18];

char *inet_ntoa(struct __foldback_in_addr address) {
  __foldback_dotted(address.address, __foldback_static_address);
  return __foldback_static_address;
}

/* AF_INET is 2; EAFNOSUPPORT is 97, ENOSPC 28. */
const char *inet_ntop(int family, const void *address, char *text, unsigned size) {
  if (family == 10)
    __foldback_unsupported("an address of IPv6");
  __foldback_errno_if(family != 2, 97);
  if (family != 2)
    return 0;
  char own[16];
  const unsigned char *bytes = address;
  unsigned length =
      (unsigned)__foldback_dotted(bytes[0] | bytes[1] << 8 | bytes[2] << 16 | (unsigned)bytes[3] << 24, own);
  __foldback_errno_if(length > size, 28);
  if (length > size)
    return 0;
  unsigned i = 0;
  while (i < length) {
    text[i] = own[i];
    i++;
  }
  return text;
}

/* Four decimal numbers without zeros before them, and nothing else. */
int inet_pton(int family, const char *text, void *address) {
  if (family == 10)
    __foldback_unsupported("an address of IPv6");
  __foldback_errno_if(family != 2, 97);
  if (family != 2)
    return -1;
  unsigned char bytes[4];
  int part = 0;
  while (part < 4) {
    unsigned number = 0;
    int digits = 0;
    while (*text >= '0' && *text <= '9') {
      if (digits > 0 && number == 0)
        return 0;
      number = number * 10 + (unsigned)(*text - '0');
      if (number > 255)
        return 0;
      digits++;
      text++;
    }
    if (digits == 0 || *text != (part < 3 ? '.' : 0))
      return 0;
    bytes[part] = (unsigned char)number;
    part++;
    text++;
  }
  part = 0;
  while (part < 4) {
    ((unsigned char *)address)[part] = bytes[part];
    part++;
  }
  return 1;
}

int accept(int socket, void *address, void *length) {
  (void)socket;
  (void)length;
  if (address != 0)
    __foldback_unsupported("accept that tells the address of the other side");
  int descriptor = __VERIFIER_nondet_int();
  __VERIFIER_assume(descriptor >= -1);
  __foldback_errno_any_if(descriptor == -1);
  return descriptor;
}

static int __foldback_address(const void *address, unsigned length, int fails) {
  __foldback_check_read(address, length);
  __foldback_errno_any_if(fails != 0);
  return fails != 0 ? -1 : 0;
}

int bind(int socket, const void *address, unsigned length) {
  (void)socket;
  return __foldback_address(address, length, __VERIFIER_nondet_int());
}

int connect(int socket, const void *address, unsigned length) {
  (void)socket;
  return __foldback_address(address, length, __VERIFIER_nondet_int());
}

int setsockopt(int socket, int level, int name, const void *value, unsigned length) {
  (void)socket;
  (void)level;
  (void)name;
  return __foldback_address(value, length, __VERIFIER_nondet_int());
}
