#define _GNU_SOURCE
#include "terminal_guard.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

static const int fatal_signals[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL,
                                    SIGQUIT, SIGSEGV, SIGSYS, SIGTRAP};
enum { signal_count = sizeof fatal_signals / sizeof *fatal_signals };

static struct sigaction previous[signal_count];
static atomic_bool is_armed;
static int terminal;
static struct termios modes;
static unsigned char restoring[256];
static size_t restoring_count;

// Everything that it calls is allowed in a handler (signal-safety(7)).
static void restore(void) {
  if (!atomic_exchange(&is_armed, false)) return;
  // In the background, the terminal is somebody else's.
  if (tcgetpgrp(terminal) != getpgrp()) return;
  ssize_t ignored = write(terminal, restoring, restoring_count);
  (void)ignored;
  tcsetattr(terminal, TCSADRAIN, &modes);
}

// Whether returning repeats what went wrong. After others of its kind the program would go on.
static bool is_repeated(int number, const siginfo_t *information) {
  return information->si_code > 0 &&
         (number == SIGSEGV || number == SIGBUS || number == SIGILL || number == SIGFPE);
}

static void restore_at_fault(int number, siginfo_t *information, void *context) {
  int error = errno;
  restore();
  errno = error;
  for (size_t index = 0; index < signal_count; index++) {
    if (fatal_signals[index] != number) continue;
    const struct sigaction *old = &previous[index];
    if (old->sa_flags & SA_SIGINFO) {
      if (old->sa_flags & SA_RESETHAND) signal(number, SIG_DFL);
      old->sa_sigaction(number, information, context);
      return;
    }
    sigaction(number, old, NULL);
    if (!is_repeated(number, information)) raise(number);
    return;
  }
}

int terminal_guard_note_modes(int descriptor) {
  terminal = descriptor;
  return tcgetattr(descriptor, &modes) == 0 ? 0 : -errno;
}

int terminal_guard_arm(const void *bytes, size_t count) {
  if (count > sizeof restoring) return -EINVAL;
  memcpy(restoring, bytes, count);
  restoring_count = count;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = restore_at_fault;
  // The stack may be what is full; a fault in the handler that follows has to end the program.
  action.sa_flags = (int)(SA_SIGINFO | SA_ONSTACK | SA_NODEFER);
  for (size_t index = 0; index < signal_count; index++)
    sigaction(fatal_signals[index], NULL, &previous[index]);
  atomic_store(&is_armed, true);
  for (size_t index = 0; index < signal_count; index++)
    sigaction(fatal_signals[index], &action, NULL);
  return 0;
}

int terminal_guard_restore_modes(void) {
  return tcsetattr(terminal, TCSADRAIN, &modes) == 0 ? 0 : -errno;
}

void terminal_guard_disarm(void) {
  atomic_store(&is_armed, false);
  for (size_t index = 0; index < signal_count; index++)
    sigaction(fatal_signals[index], &previous[index], NULL);
}

int terminal_guard_set_input(int descriptor) {
  struct termios input;
  if (tcgetattr(descriptor, &input) != 0) return -errno;
  input.c_iflag &= ~(tcflag_t)(IXON | IXOFF);
  input.c_cc[VMIN] = 0;
  input.c_cc[VTIME] = 0;
  return tcsetattr(descriptor, TCSADRAIN, &input) == 0 ? 0 : -errno;
}

void terminal_guard_stop(void) {
  struct sigaction before;
  struct sigaction standard;
  memset(&standard, 0, sizeof standard);
  standard.sa_handler = SIG_DFL;
  sigaction(SIGTSTP, &standard, &before);
  sigset_t stop, mask;
  sigemptyset(&stop);
  sigaddset(&stop, SIGTSTP);
  raise(SIGTSTP);
  // It takes effect here.
  pthread_sigmask(SIG_UNBLOCK, &stop, &mask);
  pthread_sigmask(SIG_SETMASK, &mask, NULL);
  sigaction(SIGTSTP, &before, NULL);
}
