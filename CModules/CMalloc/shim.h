// Makes the statistics of glibc's allocator available to Swift, whose Glibc module omits malloc.h.
#pragma once

#include <malloc.h>

/// Returns the number of bytes that are currently allocated, including separately mapped blocks
/// (mallinfo(3)).
static inline long cmalloc_allocated_bytes(void) {
  struct mallinfo2 info = mallinfo2();
  return (long)(info.uordblks + info.hblkhd);
}
