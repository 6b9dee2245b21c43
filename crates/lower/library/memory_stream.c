/* Streams in memory (fmemopen), as glibc has them: what is written waits in the stream until it is flushed, what is read is
   held from the first read on. The lines of other files that end in `memory stream` hand streams over to the functions here;
   they are there only in programs that call fmemopen. */

typedef __typeof__(sizeof(0)) size_t;

int __VERIFIER_nondet_int(void);
void __foldback_unsupported(const char *what);
void __foldback_check_read(const void *p, size_t n);
void __foldback_errno_if(int condition, int value);
void *__foldback_new_stream(void);
int __foldback_updates(const char *mode);

/* `at` is where the memory is read or written next, `end` where what is written so far ends. Of what is held, `next` is the
   character to read, and `filled` counts what was read ahead or waits to be written. */
struct __foldback_memory {
  char *memory;
  size_t size;
  size_t at;
  size_t end;
  char reads;
  char writes;
  char appends;
  /* 0: nothing is held, 1: what was read, 2: what is to be written. */
  char holds;
  char putting;
  char touched;
  char ended;
  char failed;
  size_t next;
  size_t filled;
  char *held;
};

/* Free ones have no memory. What is held is apart, so that pointers and characters are. */
static struct __foldback_memory __foldback_memories[4];
static char __foldback_held[4][256];

/* A stream's first character is 0: a file, 1: closed, else 2 and the number of the stream in memory. */
int __foldback_is_memory(void *stream) {
  __foldback_check_read(stream, 1);
  return *(char *)stream > 1;
}

static struct __foldback_memory *__foldback_memory_of(void *stream) { return &__foldback_memories[*(char *)stream - 2]; }

/* EINVAL is 22, ENOMEM 12. */
void *fmemopen(void *memory, size_t size, const char *mode) {
  char first = mode[0];
  __foldback_errno_if(first != 'r' && first != 'w' && first != 'a', 22);
  if (first != 'r' && first != 'w' && first != 'a')
    return 0;
  int updates = __foldback_updates(mode);
  if (memory == 0 || size == 0)
    __foldback_unsupported("fmemopen without memory");
  if (updates && mode[1] != '+')
    __foldback_unsupported("this mode of fmemopen");
  int fails = __VERIFIER_nondet_int();
  __foldback_errno_if(fails != 0, 12);
  if (fails != 0)
    return 0;
  int slot = 0;
  while (slot < 4 && __foldback_memories[slot].memory != 0)
    slot++;
  if (slot == 4)
    __foldback_unsupported("more than 4 streams in memory");
  struct __foldback_memory *m = &__foldback_memories[slot];
  m->memory = memory;
  m->held = __foldback_held[slot];
  m->size = size;
  m->reads = first == 'r' || updates;
  m->writes = first != 'r' || updates;
  m->appends = first == 'a';
  m->holds = 0;
  m->putting = 0;
  m->touched = 0;
  m->ended = 0;
  m->failed = 0;
  m->next = 0;
  m->filled = 0;
  m->at = 0;
  m->end = first == 'r' ? size : 0;
  if (first == 'w' && updates)
    m->memory[0] = 0;
  if (first == 'a') {
    while (m->end < size && m->memory[m->end] != 0)
      m->end = m->end + 1;
    m->at = m->end;
  }
  char *stream = __foldback_new_stream();
  *stream = (char)(2 + slot);
  return stream;
}

/* EBADF is 9: not opened for this. */
int __foldback_memory_put(void *stream, int c) {
  struct __foldback_memory *m = __foldback_memory_of(stream);
  __foldback_errno_if(!m->writes, 9);
  if (!m->writes) {
    m->failed = 1;
    return -1;
  }
  if (m->holds == 1)
    __foldback_unsupported("writing to a stream that was read, without fseek or fflush between");
  if (m->filled == 256)
    __foldback_unsupported("more than 256 characters that wait to be written to memory");
  m->holds = 2;
  m->putting = 1;
  m->touched = 1;
  m->held[m->filled] = (char)c;
  m->filled = m->filled + 1;
  return (unsigned char)c;
}

/* What waits is written as far as there is room, with a null where that fits; what does not fit is lost. ENOSPC is 28. */
static int __foldback_memory_write(struct __foldback_memory *m) {
  size_t place = m->appends ? m->end : m->at;
  size_t count = m->filled;
  int ends = m->held[count - 1] != 0;
  m->holds = 0;
  m->filled = 0;
  if (place + count > m->size) {
    int full = m->at + (size_t)ends >= m->size;
    m->failed = 1;
    __foldback_errno_if(full, 28);
    if (full)
      return -1;
    count = m->size - place;
  }
  size_t i = 0;
  while (i < count) {
    m->memory[place + i] = m->held[i];
    i++;
  }
  m->at = place + count;
  if (m->at > m->end) {
    m->end = m->at;
    if (m->end < m->size && ends)
      m->memory[m->end] = 0;
    else if (!m->appends && ends)
      m->memory[m->size - 1] = 0;
  }
  return m->failed ? -1 : 0;
}

static int __foldback_memory_sync(struct __foldback_memory *m) {
  int before = m->failed;
  int result = 0;
  if (m->holds == 2) {
    m->failed = 0;
    result = __foldback_memory_write(m);
    m->failed = m->failed || before;
  }
  if (m->holds == 1) {
    m->at = m->at - (m->filled - m->next);
    m->holds = 0;
    m->filled = 0;
  }
  return result;
}

int __foldback_memory_flush(void *stream) { return __foldback_memory_sync(__foldback_memory_of(stream)); }

int __foldback_memory_flush_all(void) {
  int result = 0;
  int i = 0;
  while (i < 4) {
    if (__foldback_memories[i].memory != 0 && __foldback_memories[i].holds == 2 && __foldback_memory_sync(&__foldback_memories[i]) != 0)
      result = -1;
    i++;
  }
  return result;
}

int __foldback_memory_close(void *stream) {
  struct __foldback_memory *m = __foldback_memory_of(stream);
  int result = m->holds == 2 ? __foldback_memory_sync(m) : 0;
  m->memory = 0;
  *(char *)stream = 1;
  return result;
}

int __foldback_memory_get(void *stream) {
  struct __foldback_memory *m = __foldback_memory_of(stream);
  __foldback_errno_if(!m->reads, 9);
  if (!m->reads) {
    m->failed = 1;
    return -1;
  }
  if (m->ended)
    return -1;
  if (m->holds == 2)
    __foldback_unsupported("reading from a stream that was written to, without fseek or fflush between");
  m->putting = 0;
  m->touched = 1;
  if (m->holds == 0) {
    size_t count = m->end > m->at ? m->end - m->at : 0;
    if (count > 256)
      __foldback_unsupported("more than 256 characters that a stream reads from memory");
    size_t i = 0;
    while (i < count) {
      m->held[i] = m->memory[m->at + i];
      i++;
    }
    m->at = m->at + count;
    m->next = 0;
    m->filled = count;
    m->holds = 1;
  }
  if (m->next == m->filled) {
    m->ended = 1;
    return -1;
  }
  /* The original reads again at some places where it need not. */
  if (m->held[m->next] != m->memory[m->at - m->filled + m->next])
    __foldback_unsupported("memory that changes while a stream reads it");
  m->next = m->next + 1;
  return (unsigned char)m->held[m->next - 1];
}

int __foldback_memory_seek(void *stream, long offset, int whence) {
  struct __foldback_memory *m = __foldback_memory_of(stream);
  if (m->holds == 2 && __foldback_memory_sync(m) != 0)
    return -1;
  m->putting = 0;
  m->touched = 1;
  long base = whence == 1 ? (long)(m->at - (m->holds == 1 ? m->filled - m->next : 0)) : whence == 2 ? (long)m->end : 0;
  int valid = whence >= 0 && whence <= 2 && offset >= -base && offset <= (long)m->size - base;
  __foldback_errno_if(!valid, 22);
  if (!valid)
    return -1;
  m->at = (size_t)(base + offset);
  m->holds = 0;
  m->filled = 0;
  m->ended = 0;
  return 0;
}

long __foldback_memory_tell(void *stream) {
  struct __foldback_memory *m = __foldback_memory_of(stream);
  if (m->holds == 2 && m->appends)
    __foldback_unsupported("ftell of a stream that appends, with characters that wait");
  if (m->holds == 2)
    return (long)(m->at + m->filled);
  return (long)(m->at - (m->holds == 1 ? m->filled - m->next : 0));
}

int __foldback_memory_ended(void *stream) { return __foldback_memory_of(stream)->ended; }
int __foldback_memory_failed(void *stream) { return __foldback_memory_of(stream)->failed; }

void __foldback_memory_clear(void *stream) {
  __foldback_memory_of(stream)->ended = 0;
  __foldback_memory_of(stream)->failed = 0;
}

/* stdio_ext.h, for streams in memory only. */

static struct __foldback_memory *__foldback_known(void *stream) {
  if (!__foldback_is_memory(stream))
    __foldback_unsupported("the state of a stream that is not in memory");
  return __foldback_memory_of(stream);
}

size_t __fpending(void *stream) {
  struct __foldback_memory *m = __foldback_known(stream);
  return m->holds == 2 ? m->filled : 0;
}

int __freading(void *stream) {
  struct __foldback_memory *m = __foldback_known(stream);
  return !m->writes || (m->reads && !m->putting && m->touched);
}

int __fwriting(void *stream) {
  struct __foldback_memory *m = __foldback_known(stream);
  return (m->reads ? 0 : 4) | (m->putting ? 2048 : 0);
}

int __freadable(void *stream) { return __foldback_known(stream)->reads; }
int __fwritable(void *stream) { return __foldback_known(stream)->writes; }
