#pragma once

/// How many times memory was allocated since the start of the process.
long allocation_count(void);

/// How many bytes are allocated now; Swift's module of the C library leaves out `malloc.h`.
long allocated_bytes(void);
