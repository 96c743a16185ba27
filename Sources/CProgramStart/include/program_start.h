#pragma once
// What has to happen before Swift code runs, or without memory to run it in.

#include <stdbool.h>
#include <stddef.h>

/// Swift reads the arguments of a program from /proc, and has none where that is not mounted.
///
/// The number of arguments that execve(2) was given, the name of the program included.
int program_argument_count(void);

/// One of the arguments; null beyond the last.
const char *program_argument(int index);

/// Swift's runtime answers a fatal signal by running a program that it may find in the working
/// directory. This replaces its handlers.
///
/// A fault of the program itself then writes one line to standard error and ends it with the
/// given status; a signal that another process sent has its default effect.
void program_handle_faults(int status);

/// Whether execve(2) raised the rights of the program above the caller's (`AT_SECURE`): by a
/// set-user-ID or set-group-ID bit, or by file capabilities.
bool program_is_raised(void);

/// Whether the process may have that much more memory (`RLIMIT_AS`, `RLIMIT_DATA`).
///
/// Swift ends a program whose allocation fails, in words that no user understands.
bool program_has_memory(size_t bytes);

/// Opens something for each standard descriptor that the parent closed, so that no other file takes
/// its number: /dev/null where it is the null device, else a descriptor that can be neither read
/// nor written. Returns 0 or `-errno`.
int program_fill_standard_descriptors(void);
