#pragma once

/// How many times memory was allocated since the start of the process.
long allocation_count(void);

/// Starts to count the bytes that are allocated and not freed, from zero.
void allocation_watch(void);

/// The most bytes that were allocated at a time since the watch began.
long allocation_peak(void);

/// Stops counting bytes.
void allocation_unwatch(void);
