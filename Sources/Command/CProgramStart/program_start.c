#define _GNU_SOURCE
#include "program_start.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static int argument_count;
static char **argument_vector;

// glibc passes the arguments of main to constructors. If Swift's runtime is linked statically, this
// constructor runs before the runtime's own, so the runtime never installs its signal handlers.
__attribute__((constructor(101))) static void take_arguments(int count, char **vector,
                                                             char **environment) {
  (void)environment;
  argument_count = count;
  argument_vector = vector;
  // If a path is set, the runtime does not search eight directories for its backtrace program.
  setenv("SWIFT_BACKTRACE", "enable=no,swift-backtrace=/", 1);
}

int program_argument_count(void) { return argument_count; }

const char *program_argument(int index) {
  return index >= 0 && index < argument_count ? argument_vector[index] : NULL;
}

static const int fatal_signals[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP, SIGSYS};
static int fault_status;
// The handler needs its own stack for a stack overflow. The size is fixed, because SIGSTKSZ is no
// longer a constant.
static char fault_stack[64 * 1024];

static void end_after_fault(int number, siginfo_t *information, void *context) {
  (void)context;
  // A signal from abort(3) is sent by the process itself.
  bool is_sent = information->si_code <= 0 && information->si_pid != getpid();
  if (is_sent) {
    signal(number, SIG_DFL);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    raise(number);
  }
  static const char text[] =
      "devaccess: internal error: out of memory, or a defect of the program\n";
  ssize_t ignored = write(STDERR_FILENO, text, sizeof text - 1);
  (void)ignored;
  _exit(fault_status);
}

void program_handle_faults(int status) {
  fault_status = status;
  stack_t stack = {.ss_sp = fault_stack, .ss_size = sizeof fault_stack};
  sigaltstack(&stack, NULL);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = end_after_fault;
  // With SA_NODEFER and SA_RESETHAND, a fault in the handler ends the process.
  action.sa_flags = (int)(SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESETHAND);
  signal(SIGQUIT, SIG_DFL);
  for (size_t index = 0; index < sizeof fatal_signals / sizeof *fatal_signals; index++)
    sigaction(fatal_signals[index], &action, NULL);
}

bool program_is_raised(void) { return getauxval(AT_SECURE) != 0; }

bool program_has_memory(size_t bytes) {
  void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return false;
  munmap(memory, bytes);
  return true;
}

static int fill_descriptor(void) {
  struct stat status;
  int descriptor = open("/dev/null", O_RDWR);
  if (descriptor >= 0 && fstat(descriptor, &status) == 0 && S_ISCHR(status.st_mode) &&
      status.st_rdev == makedev(1, 3))
    return 0;
  if (descriptor >= 0) close(descriptor);
  return open("/", O_PATH) >= 0 ? 0 : -errno;
}

int program_fill_standard_descriptors(void) {
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++) {
    if (fcntl(descriptor, F_GETFD) >= 0) continue;
    // open(2) returns the lowest free number, which is this one.
    int failure = fill_descriptor();
    if (failure < 0) return failure;
  }
  return 0;
}
