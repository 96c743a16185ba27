// What the allocator of glibc tells of itself: Swift's module of the C library leaves out malloc.h.
#pragma once

#include <malloc.h>

/// How many bytes the process has allocated now (mallinfo(3)).
static inline long cmalloc_allocated_bytes(void) { return (long)mallinfo2().uordblks; }
