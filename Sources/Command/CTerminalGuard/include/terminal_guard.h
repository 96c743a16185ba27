#pragma once
// Restores the terminal that a program has changed, however the program ends.

#include <stdbool.h>
#include <stddef.h>

/// Saves the modes of a terminal, and restores them if the process ends abnormally.
///
/// A handler restores the modes on every fatal signal that can be caught, then performs the
/// previous action of the signal. A small child process covers what a handler cannot, such as
/// SIGKILL or a stack overflow on a thread without a signal stack. It waits for the end of this
/// process, and exits after that or on `terminal_guard_disarm`.
///
/// The descriptor must stay open until `terminal_guard_disarm`. A process can guard only one
/// terminal, and must not call these functions from two threads at the same time. Returns 0 or
/// `-errno`.
int terminal_guard_arm(int descriptor);

/// Sets the bytes, at most 256, that are also sent to the terminal to restore the screen.
///
/// Returns 0 or `-errno`.
int terminal_guard_set_bytes(const void *bytes, size_t count);

/// Restores the saved modes of the terminal; returns 0 or `-errno`.
int terminal_guard_restore_modes(void);

/// Stops guarding the terminal: ends the child process, and restores the previous signal actions.
void terminal_guard_disarm(void);

/// Makes reads from the terminal return immediately, and disables the keys that stop its output.
///
/// Returns 0 or `-errno`.
int terminal_guard_set_input(int descriptor);

/// Stops the process as the suspend key would, until another process continues it.
///
/// The caller must have blocked SIGTSTP. The function returns immediately if no process could
/// continue this one.
void terminal_guard_stop(void);
