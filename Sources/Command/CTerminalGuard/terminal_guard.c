#define _GNU_SOURCE
#include "terminal_guard.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static const int fatal_signals[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL,
                                    SIGQUIT, SIGSEGV, SIGSYS, SIGTRAP};
enum { signal_count = sizeof fatal_signals / sizeof *fatal_signals };

static struct sigaction previous[signal_count];
// The state that is shared with the guard process, if there is one.
struct shared {
  // Whether the terminal must be restored.
  atomic_bool is_armed;
  // The modes of the terminal while the program uses it.
  struct termios taken;
  // The bytes that restore the screen; the count is set last.
  unsigned char restoring[256];
  atomic_size_t restoring_count;
};
static struct shared own;
static struct shared *shared = &own;
static pid_t guard;
static int guard_pipe = -1;
static int terminal;
static struct termios modes;

// Calls only functions that are safe in a signal handler (signal-safety(7)).
static void restore(void) {
  if (!atomic_exchange(&shared->is_armed, false)) return;
  // In the background, another program uses the terminal.
  if (tcgetpgrp(terminal) != getpgrp()) return;
  ssize_t ignored = write(terminal, shared->restoring, atomic_load(&shared->restoring_count));
  (void)ignored;
  tcsetattr(terminal, TCSADRAIN, &modes);
}

// Returns whether the fault is repeated when the handler returns. After any other signal, the
// program would continue.
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

// MARK: The guard process, which survives what a handler cannot catch

// The guard process calls only functions that are safe in a signal handler, because other threads
// may have held locks during the fork.

static void close_all_but(int one, int other) {
  unsigned low = (unsigned)(one < other ? one : other);
  unsigned high = (unsigned)(one < other ? other : one);
  if (low > 0) syscall(SYS_close_range, 0u, low - 1, 0);
  if (high > low + 1) syscall(SYS_close_range, low + 1, high - 1, 0);
  syscall(SYS_close_range, high + 1, ~0u, 0);
}

static bool has_taken_modes(void) {
  struct termios now;
  return tcgetattr(terminal, &now) == 0 && now.c_iflag == shared->taken.c_iflag &&
         now.c_oflag == shared->taken.c_oflag && now.c_cflag == shared->taken.c_cflag &&
         now.c_lflag == shared->taken.c_lflag;
}

static void restore_after_death(void) {
  pid_t front = tcgetpgrp(terminal);
  bool is_ours = front == getpgrp();
  // A shell may already have the terminal. It does not know the state of the screen, but has set
  // its own modes. It may even have started the next command of a script: wait for a short command
  // to end, but leave the screen to one that keeps running.
  const struct timespec pause = {.tv_nsec = 5 * 1000 * 1000};
  for (int turn = 0; !is_ours && front != getsid(0); turn++) {
    if (turn == 200 || front < 0) return;
    nanosleep(&pause, NULL);
    front = tcgetpgrp(terminal);
  }
  // If nothing reads the output of the terminal, the next calls could block; the alarm ends the
  // process.
  alarm(10);
  if (is_ours || has_taken_modes()) tcsetattr(terminal, TCSANOW, &modes);
  ssize_t ignored = write(terminal, shared->restoring, atomic_load(&shared->restoring_count));
  (void)ignored;
}

static _Noreturn void stand_guard(int input) {
  sigset_t signals;
  sigfillset(&signals);
  sigdelset(&signals, SIGALRM);
  signal(SIGALRM, SIG_DFL);
  // Block the signals of keys and of background access, which are sent to the guard process as
  // well.
  sigprocmask(SIG_SETMASK, &signals, NULL);
  prctl(PR_SET_NAME, "terminal-guard");
  close(guard_pipe);
  close_all_but(terminal, input);
  char byte;
  while (read(input, &byte, 1) < 0 && errno == EINTR) {
  }
  if (atomic_exchange(&shared->is_armed, false)) restore_after_death();
  _exit(0);
}

// If the guard process cannot be started, signals that cannot be caught leave the terminal changed.
static void start_guard(void) {
  int ends[2];
  void *page =
      mmap(NULL, sizeof own, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return;
  if (pipe2(ends, O_CLOEXEC) != 0) {
    munmap(page, sizeof own);
    return;
  }
  shared = page;
  guard_pipe = ends[1];
  guard = fork();
  if (guard == 0) stand_guard(ends[0]);
  close(ends[0]);
}

static void end_guard(void) {
  if (guard_pipe >= 0) close(guard_pipe);
  guard_pipe = -1;
  if (guard > 0) {
    // The guard process may be stopped, and has nothing left to do.
    kill(guard, SIGKILL);
    while (waitpid(guard, NULL, 0) < 0 && errno == EINTR) {
    }
  }
  guard = 0;
  if (shared == &own) return;
  void *page = shared;
  shared = &own;
  munmap(page, sizeof own);
}

// MARK: -

int terminal_guard_set_bytes(const void *bytes, size_t count) {
  if (count > sizeof shared->restoring) return -EINVAL;
  memcpy(shared->restoring, bytes, count);
  atomic_store(&shared->restoring_count, count);
  return 0;
}

int terminal_guard_arm(int descriptor) {
  terminal = descriptor;
  if (tcgetattr(descriptor, &modes) != 0) return -errno;
  atomic_store(&own.restoring_count, 0);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = restore_at_fault;
  // Use the alternate stack in case of a stack overflow. A fault in the next handler must end the
  // program.
  action.sa_flags = (int)(SA_SIGINFO | SA_ONSTACK | SA_NODEFER);
  for (size_t index = 0; index < signal_count; index++)
    sigaction(fatal_signals[index], NULL, &previous[index]);
  start_guard();
  atomic_store(&shared->is_armed, true);
  for (size_t index = 0; index < signal_count; index++)
    sigaction(fatal_signals[index], &action, NULL);
  return 0;
}

int terminal_guard_restore_modes(void) {
  return tcsetattr(terminal, TCSADRAIN, &modes) == 0 ? 0 : -errno;
}

void terminal_guard_disarm(void) {
  atomic_store(&shared->is_armed, false);
  for (size_t index = 0; index < signal_count; index++)
    sigaction(fatal_signals[index], &previous[index], NULL);
  end_guard();
}

int terminal_guard_set_input(int descriptor) {
  struct termios input;
  if (tcgetattr(descriptor, &input) != 0) return -errno;
  input.c_iflag &= ~(tcflag_t)(IXON | IXOFF);
  input.c_cc[VMIN] = 0;
  input.c_cc[VTIME] = 0;
  if (tcsetattr(descriptor, TCSADRAIN, &input) != 0) return -errno;
  // Save the modes that the terminal accepted.
  return tcgetattr(descriptor, &shared->taken) == 0 ? 0 : -errno;
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
  // While the program is stopped, it does not own the terminal.
  bool was_armed = atomic_exchange(&shared->is_armed, false);
  raise(SIGTSTP);
  // The pending signal is delivered here.
  pthread_sigmask(SIG_UNBLOCK, &stop, &mask);
  atomic_store(&shared->is_armed, was_armed);
  pthread_sigmask(SIG_SETMASK, &mask, NULL);
  sigaction(SIGTSTP, &before, NULL);
}
