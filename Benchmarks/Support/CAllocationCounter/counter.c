// Swift cannot define a function named `malloc`; this one takes the place of the C library's in
// the whole process, since the linker finds the executable's symbols first, so that what Swift's
// run time allocates is counted too. Nothing is preloaded.

#include "CAllocationCounter.h"

#include <malloc.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

static atomic_long count;
// Bytes are counted only while somebody asks for them, because that costs time.
static atomic_bool is_watching;
static atomic_long bytes;
static atomic_long peak;

static bool watches(void) { return atomic_load_explicit(&is_watching, memory_order_relaxed); }

static void add(long size) {
  long now = atomic_fetch_add_explicit(&bytes, size, memory_order_relaxed) + size;
  long most = atomic_load_explicit(&peak, memory_order_relaxed);
  while (now > most && !atomic_compare_exchange_weak_explicit(
                           &peak, &most, now, memory_order_relaxed, memory_order_relaxed)) {
  }
}

static void *note(void *memory) {
  atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
  if (memory && watches()) add((long)malloc_usable_size(memory));
  return memory;
}

long allocation_count(void) { return atomic_load_explicit(&count, memory_order_relaxed); }

void allocation_watch(void) {
  atomic_store(&bytes, 0);
  atomic_store(&peak, 0);
  atomic_store(&is_watching, true);
}

long allocation_peak(void) { return atomic_load(&peak); }

void allocation_unwatch(void) { atomic_store(&is_watching, false); }

void *malloc(size_t size) { return note(__libc_malloc(size)); }

void *calloc(size_t number, size_t size) { return note(__libc_calloc(number, size)); }

void *realloc(void *old, size_t size) {
  long before = old && watches() ? (long)malloc_usable_size(old) : 0;
  void *memory = __libc_realloc(old, size);
  // The old block is still there when there is no memory for a new one.
  if (before && (memory || !size)) add(-before);
  return note(memory);
}

void free(void *memory) {
  if (memory && watches()) add(-(long)malloc_usable_size(memory));
  __libc_free(memory);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
  void *memory = note(__libc_memalign(alignment, size));
  if (!memory) return 12;
  *result = memory;
  return 0;
}

void *aligned_alloc(size_t alignment, size_t size) {
  return note(__libc_memalign(alignment, size));
}
