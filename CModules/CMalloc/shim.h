// What the allocator of glibc tells of itself: Swift's module of the C library leaves out malloc.h.
#pragma once

#include <malloc.h>

/// How many bytes the process has allocated now, large blocks of their own included (mallinfo(3)).
static inline long cmalloc_allocated_bytes(void) {
  struct mallinfo2 info = mallinfo2();
  return (long)(info.uordblks + info.hblkhd);
}
