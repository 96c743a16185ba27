// The server: process 1 of its own PID namespace. It starts one worker a message, in a mount
// namespace of the worker's own, and outlives it.

#include "oracle_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int oracle_fail(struct oracle_shared *shared, const char *step, const char *detail) {
  if (shared->failed) return -1;
  snprintf(shared->reason, sizeof shared->reason, "%s %s: %s", step, detail, strerror(errno));
  shared->failed = 1;
  return -1;
}

/// Leaves the machine's files behind: the server's root becomes an empty tmpfs.
static int enter_base(struct oracle_server *server) {
  struct oracle_shared *shared = server->shared;
  if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL)) {
    return oracle_fail(shared, "cannot make", "a mount namespace");
  }
  if (mount("kernel-oracle", "/tmp", "tmpfs", 0, "mode=0755") || chdir("/tmp")) {
    return oracle_fail(shared, "cannot mount", "a tmpfs");
  }
  static const char *const places[] = {"proc", "root", "b0", "b1", "b2", "b3"};
  for (size_t index = 0; index < sizeof places / sizeof places[0]; index++) {
    if (mkdir(places[index], 0755)) return oracle_fail(shared, "cannot make", "the base");
  }
  if (mount("proc", "proc", "proc", 0, NULL)) return oracle_fail(shared, "cannot mount", "proc");
  server->proc = open("proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (server->proc < 0) return oracle_fail(shared, "cannot open", "proc");
  oracle_open_sysctl(server);
  oracle_open_tools(server);
  if (syscall(SYS_pivot_root, ".", ".") || umount2(".", MNT_DETACH) || chdir("/")) {
    return oracle_fail(shared, "cannot enter", "the base");
  }
  return 0;
}

static int work(const struct oracle_server *server) {
  static struct oracle_namespace namespaces[ORACLE_NAMESPACES];
  struct oracle_shared *shared = server->shared;
  struct oracle_cursor cursor = {shared->message, shared->message + shared->length, 0};
  uint32_t namespace_count = 0;
  oracle_take(&cursor);  // the settings: the server's
  if (oracle_make_namespaces(server, &cursor, namespaces, &namespace_count)) return 1;
  if (oracle_enter_tree(server, &cursor, namespaces, namespace_count)) return 1;
  if (oracle_run_subjects(server, &cursor, namespaces, namespace_count)) return 1;
  if (oracle_run_commands(server, &cursor)) return 1;
  if (oracle_run_subjects(server, &cursor, namespaces, namespace_count)) return 1;
  if (cursor.broken || cursor.next != cursor.end) {
    return oracle_fail(shared, "broken message", "end");
  }
  return 0;
}

/// Waits for the worker, for the asking process to go away, or for the time to run out.
static void wait_for(const struct oracle_server *server, pid_t worker, int pidfd, int timeout) {
  struct pollfd ready[2] = {{.fd = pidfd, .events = POLLIN},
                            {.fd = server->socket, .events = POLLIN}};
  int count;
  do {
    count = poll(ready, 2, timeout);
  } while (count < 0 && errno == EINTR);
  if (!(ready[0].revents & POLLIN)) {
    errno = count == 0 ? ETIMEDOUT : ECANCELED;
    oracle_fail(server->shared, "the worker was stopped", "");
    kill(-1, SIGKILL);
  }
  int status = 0;
  while (waitpid(worker, &status, 0) < 0 && errno == EINTR) {}
  if (!WIFEXITED(status) || WEXITSTATUS(status)) {
    errno = ECHILD;
    oracle_fail(server->shared, "the worker failed", "");
    while (waitpid(-1, NULL, 0) > 0 || errno == EINTR) {}
  }
}

static void answer(struct oracle_server *server, int timeout) {
  struct oracle_shared *shared = server->shared;
  struct oracle_cursor cursor = {shared->message, shared->message + shared->length, 0};
  uint32_t word = oracle_take(&cursor);
  int values[ORACLE_SYSCTLS];
  for (int index = 0; index < ORACLE_SYSCTLS; index++) {
    int value = (int)(word >> (8 * index) & 255);
    values[index] = value == 255 ? -1 : value;
  }
  if (oracle_lock_sysctl(server, values)) {
    oracle_fail(shared, "cannot set", "fs.protected_symlinks, _regular or _fifos");
    oracle_unlock_sysctl(server);
    return;
  }
  int pidfd = -1;
  pid_t worker = (pid_t)syscall(SYS_clone, CLONE_NEWNS | CLONE_PIDFD | SIGCHLD, NULL, &pidfd,
                                NULL, 0);
  if (worker == 0) {
    close(server->socket);
    _exit(work(server));
  }
  if (worker < 0) {
    oracle_fail(shared, "cannot start", "a worker");
  } else {
    wait_for(server, worker, pidfd, timeout);
    close(pidfd);
  }
  oracle_unlock_sysctl(server);
}

_Noreturn void oracle_serve(struct oracle_server *server) {
  struct oracle_shared *shared = server->shared;
  server->lock = -1;
  server->cgroup = -1;
  oracle_open_cgroup(server);
  int failed = enter_base(server);
  umask(0);
  shared->ready = failed ? -1 : 1;
  int32_t word = 0;
  ssize_t got = failed ? 0 : send(server->socket, &word, sizeof word, MSG_NOSIGNAL);
  while (got > 0 || (got < 0 && errno == EINTR)) {
    got = recv(server->socket, &word, sizeof word, 0);
    if (got != sizeof word) continue;
    answer(server, word);
    got = send(server->socket, &word, sizeof word, MSG_NOSIGNAL);
  }
  oracle_close_cgroup(server);
  oracle_close_sysctl(server);
  _exit(0);
}
