/* Files of a program that just runs, with no inputs given: those that it has made itself, in memory. There are no others,
   so that opening one to read it fails. The lines of other files that end in `memory stream` hand streams over to the
   functions here, as they do to those of memory_stream.c in other programs, and those that end in `own file` hand over
   names. */

typedef __typeof__(sizeof(0)) size_t;

void __foldback_unsupported(const char *what);
void __foldback_check_read(const void *p, size_t n);
void __foldback_errno_if(int condition, int value);
void *__foldback_new_stream(void);
int __foldback_updates(const char *mode);
void *malloc(size_t size);
void *realloc(void *p, size_t size);

/* A file without name can no longer be opened. */
struct __foldback_file {
  char *name;
  unsigned char *bytes;
  size_t size;
  size_t room;
};

struct __foldback_opened_file {
  struct __foldback_file *file;
  size_t at;
  char reads;
  char writes;
  char appends;
  /* 1: the last thing done was reading, 2: writing, since the position was set. */
  char last;
  char ended;
  char failed;
};

static struct __foldback_file __foldback_files[64];
static int __foldback_file_count;
static struct __foldback_opened_file __foldback_opened_files[64];

/* A stream's first character is 0: one of the three, 1: closed, else 2 and the number of the opened file. */
int __foldback_is_memory(void *stream) {
  __foldback_check_read(stream, 1);
  return *(char *)stream > 1;
}

static struct __foldback_opened_file *__foldback_opened_of(void *stream) {
  return &__foldback_opened_files[*(char *)stream - 2];
}

static int __foldback_same_name(const char *a, const char *b) {
  while (*a != 0 && *a == *b) {
    a++;
    b++;
  }
  return *a == *b;
}

static struct __foldback_file *__foldback_find_file(const char *name) {
  for (int i = 0; i < __foldback_file_count; i++)
    if (__foldback_files[i].name != 0 && __foldback_same_name(__foldback_files[i].name, name))
      return &__foldback_files[i];
  return 0;
}

static char *__foldback_copied_name(const char *name) {
  size_t length = 0;
  while (name[length] != 0)
    length++;
  char *copy = malloc(length + 1);
  if (copy == 0)
    __foldback_unsupported("a file for which there is no memory");
  for (size_t i = 0; i <= length; i++)
    copy[i] = name[i];
  return copy;
}

/* Without a name it is a temporary file. */
static struct __foldback_file *__foldback_new_file(const char *name) {
  if (__foldback_file_count == 64)
    __foldback_unsupported("more than 64 files");
  struct __foldback_file *file = &__foldback_files[__foldback_file_count];
  __foldback_file_count = __foldback_file_count + 1;
  if (name != 0)
    file->name = __foldback_copied_name(name);
  return file;
}

/* Characters wait in a stream for an unknown time: nobody else may look at what is written. */
static void __foldback_share(struct __foldback_file *file, int writes) {
  for (int i = 0; i < 64; i++)
    if (__foldback_opened_files[i].file == file && (writes || __foldback_opened_files[i].writes))
      __foldback_unsupported("a file that is written and opened twice");
}

/* ENOENT is 2, EINVAL 22. */
void *__foldback_file_open(const char *path, const char *mode) {
  char first = mode[0];
  int known = first == 'r' || first == 'w' || first == 'a';
  __foldback_errno_if(!known, 22);
  if (!known)
    return 0;
  int updates = __foldback_updates(mode);
  struct __foldback_file *file = path != 0 ? __foldback_find_file(path) : 0;
  int missing = file == 0 && first == 'r';
  __foldback_errno_if(missing, 2);
  if (missing)
    return 0;
  if (file == 0)
    file = __foldback_new_file(path);
  __foldback_share(file, first != 'r' || updates);
  if (first == 'w')
    file->size = 0;
  int slot = 0;
  while (slot < 64 && __foldback_opened_files[slot].file != 0)
    slot++;
  char *stream = __foldback_new_stream();
  struct __foldback_opened_file *opened = &__foldback_opened_files[slot];
  opened->file = file;
  opened->at = 0;
  opened->reads = first == 'r' || updates;
  opened->writes = first != 'r' || updates;
  opened->appends = first == 'a';
  opened->last = 0;
  opened->ended = 0;
  opened->failed = 0;
  *stream = (char)(2 + slot);
  return stream;
}

int __foldback_file_remove(const char *path) {
  struct __foldback_file *file = __foldback_find_file(path);
  __foldback_errno_if(file == 0, 2);
  if (file == 0)
    return -1;
  file->name = 0;
  return 0;
}

int __foldback_file_rename(const char *from, const char *to) {
  struct __foldback_file *file = __foldback_find_file(from);
  __foldback_errno_if(file == 0, 2);
  if (file == 0)
    return -1;
  struct __foldback_file *replaced = __foldback_find_file(to);
  if (replaced != 0)
    replaced->name = 0;
  file->name = __foldback_copied_name(to);
  return 0;
}

/* A name that no file has: as long as glibc's. */
char *__foldback_file_temporary(char *name) {
  static const char start[] = "/tmp/file";
  static unsigned count;
  do {
    for (int i = 0; i < 9; i++)
      name[i] = start[i];
    unsigned rest = count;
    for (int i = 14; i >= 9; i--) {
      name[i] = (char)('a' + rest % 26);
      rest = rest / 26;
    }
    name[15] = 0;
    count = count + 1;
  } while (__foldback_find_file(name) != 0);
  return name;
}

/* EBADF is 9: not opened for this. */
static int __foldback_may_use(struct __foldback_opened_file *opened, int allowed, char last) {
  __foldback_errno_if(!allowed, 9);
  if (!allowed) {
    opened->failed = 1;
    return 0;
  }
  if (opened->last != 0 && opened->last != last)
    __foldback_unsupported("reading from a stream that was written to, or writing after reading, without fseek or fflush between");
  opened->last = last;
  return 1;
}

static void __foldback_reserve(struct __foldback_file *file, size_t size) {
  if (size <= file->room)
    return;
  size_t room = 2 * size > 64 ? 2 * size : 64;
  unsigned char *larger = realloc(file->bytes, room);
  if (larger == 0)
    __foldback_unsupported("a file for which there is no memory");
  file->bytes = larger;
  file->room = room;
}

int __foldback_memory_put(void *stream, int c) {
  struct __foldback_opened_file *opened = __foldback_opened_of(stream);
  if (!__foldback_may_use(opened, opened->writes, 2))
    return -1;
  struct __foldback_file *file = opened->file;
  if (opened->appends)
    opened->at = file->size;
  __foldback_reserve(file, opened->at + 1);
  while (file->size < opened->at) {
    file->bytes[file->size] = 0;
    file->size = file->size + 1;
  }
  file->bytes[opened->at] = (unsigned char)c;
  opened->at = opened->at + 1;
  if (opened->at > file->size)
    file->size = opened->at;
  return (unsigned char)c;
}

int __foldback_memory_get(void *stream) {
  struct __foldback_opened_file *opened = __foldback_opened_of(stream);
  if (!__foldback_may_use(opened, opened->reads, 1))
    return -1;
  if (opened->at >= opened->file->size)
    opened->ended = 1;
  if (opened->ended)
    return -1;
  opened->at = opened->at + 1;
  return opened->file->bytes[opened->at - 1];
}

int __foldback_memory_flush(void *stream) {
  __foldback_opened_of(stream)->last = 0;
  return 0;
}

int __foldback_memory_flush_all(void) {
  for (int i = 0; i < 64; i++)
    __foldback_opened_files[i].last = 0;
  return 0;
}

int __foldback_memory_close(void *stream) {
  __foldback_opened_of(stream)->file = 0;
  *(char *)stream = 1;
  return 0;
}

int __foldback_memory_seek(void *stream, long offset, int whence) {
  struct __foldback_opened_file *opened = __foldback_opened_of(stream);
  long base = whence == 1 ? (long)opened->at : whence == 2 ? (long)opened->file->size : 0;
  int valid = whence >= 0 && whence <= 2 && offset >= -base;
  __foldback_errno_if(!valid, 22);
  if (!valid)
    return -1;
  opened->at = (size_t)(base + offset);
  opened->last = 0;
  opened->ended = 0;
  return 0;
}

long __foldback_memory_tell(void *stream) { return (long)__foldback_opened_of(stream)->at; }
int __foldback_memory_ended(void *stream) { return __foldback_opened_of(stream)->ended; }
int __foldback_memory_failed(void *stream) { return __foldback_opened_of(stream)->failed; }

void __foldback_memory_clear(void *stream) {
  __foldback_opened_of(stream)->ended = 0;
  __foldback_opened_of(stream)->failed = 0;
}
