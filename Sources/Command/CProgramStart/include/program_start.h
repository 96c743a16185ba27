#pragma once
// Functions for the start of a program, before Swift code runs or when it has no memory to run.

#include <stdbool.h>
#include <stddef.h>

/// The number of arguments that execve(2) received, including the name of the program.
///
/// Swift reads the arguments from /proc, and has none if it is not mounted.
int program_argument_count(void);

/// Returns one of the arguments, or a null pointer if the index is out of range.
const char *program_argument(int index);

/// Replaces the handlers that Swift's runtime installs for fatal signals.
///
/// Those handlers run a program that they may find in the working directory. The handler that this
/// function installs writes one line to standard error and ends the process with the given status.
/// If another process sent the signal, the handler lets it have its default effect.
void program_handle_faults(int status);

/// Returns whether execve(2) gave the program more privileges than its caller has (`AT_SECURE`), by
/// a set-user-ID bit, a set-group-ID bit or file capabilities.
bool program_is_raised(void);

/// Returns whether the process may allocate the given amount of memory (`RLIMIT_AS`,
/// `RLIMIT_DATA`).
///
/// If an allocation fails later, Swift ends the process with a message that users do not
/// understand.
bool program_has_memory(size_t bytes);

/// Opens a file for each standard descriptor that the parent closed, so that no other file gets its
/// number.
///
/// The file is /dev/null if that is the null device, and otherwise a descriptor that can neither be
/// read nor written. Returns 0 or `-errno`.
int program_fill_standard_descriptors(void);
