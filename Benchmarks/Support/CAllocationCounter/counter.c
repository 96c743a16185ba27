// Swift cannot define a function named `malloc`; this one takes the place of the C library's in
// the whole process, since the linker finds the executable's symbols first, so that what Swift's
// run time allocates is counted too. Nothing is preloaded.

#include "CAllocationCounter.h"

#include <stdatomic.h>
#include <stddef.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static atomic_long count;

static void note(void) { atomic_fetch_add_explicit(&count, 1, memory_order_relaxed); }

long allocation_count(void) { return atomic_load_explicit(&count, memory_order_relaxed); }

void *malloc(size_t size) {
  note();
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  note();
  return __libc_calloc(number, size);
}

void *realloc(void *old, size_t size) {
  note();
  return __libc_realloc(old, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
  note();
  void *memory = __libc_memalign(alignment, size);
  if (!memory) return 12;
  *result = memory;
  return 0;
}

void *aligned_alloc(size_t alignment, size_t size) {
  note();
  return __libc_memalign(alignment, size);
}
