#pragma once
// What a program owes to the terminal that it has changed: to give it back, whatever ends it.

#include <stdbool.h>
#include <stddef.h>

/// Notes the modes of a terminal, which has to stay open until `terminal_guard_disarm`, and has every
/// fatal signal that can be caught restore them before it does what it did until now.
///
/// What no handler can answer, such as SIGKILL or a thread whose stack is full, is left to a small
/// child process, which waits for the end of this one and ends with it or with
/// `terminal_guard_disarm`. There is one terminal of the process, and two threads must not call these
/// functions at once. Returns 0 or `-errno`.
int terminal_guard_arm(int descriptor);

/// Has the terminal also sent some bytes then that make the screen usual again: at most 256. Returns 0
/// or `-errno`.
int terminal_guard_set_bytes(const void *bytes, size_t count);

/// Gives the terminal the modes back that were noted; returns 0 or `-errno`.
int terminal_guard_restore_modes(void);

/// Forgets the terminal and ends the child; fatal signals do what they did before.
void terminal_guard_disarm(void);

/// Changes the modes of a terminal so that reading from it returns at once with what was typed, and
/// that no key stops its output; returns 0 or `-errno`.
int terminal_guard_set_input(int descriptor);

/// Stops the process as a key for it would have done, until somebody continues it.
///
/// To be called with SIGTSTP blocked. It returns at once where nobody could continue the process.
void terminal_guard_stop(void);
