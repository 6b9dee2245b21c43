// The wall between C++ exceptions and Rust.
//
// Bitwuzla's C functions catch their own exceptions, but not std::bad_alloc or an internal std::out_of_range. Rust may
// let a foreign exception pass through its frames ("C-unwind"), but not catch it; so the call goes Rust -> guard ->
// Rust -> Bitwuzla, and the guard catches.

#include <cstddef>
#include <cstring>
#include <exception>
#include <ostream>
#include <sstream>
#include <string>

namespace {

void
copy_message(char *to, size_t capacity, const char *from)
{
  std::strncpy(to, from, capacity - 1);
  to[capacity - 1] = '\0';
}

thread_local std::ostringstream log_buffer;

}  // namespace

// Where Bitwuzla's logger prints (see build.rs).
std::ostream &
foldback_log()
{
  return log_buffer;
}

// Copies what was logged on this thread since the last call, and forgets it.
extern "C" void
foldback_take_log(char *message, size_t capacity) noexcept
{
  try
  {
    copy_message(message, capacity, log_buffer.str().c_str());
    log_buffer.str(std::string());
    log_buffer.clear();
  }
  catch (...)
  {
    copy_message(message, capacity, "");
  }
}

// Runs body(state). Zero: it returned. Otherwise it threw, and message (of that capacity, at least 1) says what.
extern "C" int
foldback_guard(void (*body)(void *), void *state, char *message, size_t capacity) noexcept
{
  try
  {
    body(state);
    return 0;
  }
  catch (const std::exception &e)
  {
    copy_message(message, capacity, e.what());
  }
  catch (...)
  {
    copy_message(message, capacity, "unknown C++ exception");
  }
  return 1;
}
