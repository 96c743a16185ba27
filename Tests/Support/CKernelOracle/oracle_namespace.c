// User namespaces with any maps. Root of the initial namespace may write what it wants into the
// maps of a child, so a short-lived child holds each namespace while its maps are written.

#include "oracle_internal.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { EXTENTS = 64 };

static char holder_stack[16384] __attribute__((aligned(16)));

static int hold(void *unused) {
  (void)unused;
  for (;;) pause();
}

/// Writes one map; an empty one stays unwritten, which maps nothing.
static int write_map(int proc, pid_t pid, const char *name, struct oracle_cursor *cursor,
                     uint32_t *some) {
  char text[EXTENTS * 36] = "";
  size_t used = 0;
  uint32_t count = oracle_take_count(cursor, EXTENTS);
  *some = 0;
  for (uint32_t index = 0; index < count; index++) {
    uint32_t inside = oracle_take(cursor), outside = oracle_take(cursor);
    uint32_t length = oracle_take(cursor);
    if (index == 0) *some = outside;
    used += (size_t)snprintf(text + used, sizeof text - used, "%u %u %u\n", inside, outside,
                             length);
  }
  if (cursor->broken) return -1;
  if (used == 0) return 0;
  char path[64];
  snprintf(path, sizeof path, "%d/%s", (int)pid, name);
  int fd = openat(proc, path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return -1;
  ssize_t written = write(fd, text, used);
  close(fd);
  return written == (ssize_t)used ? 0 : -1;
}

static int make_namespace(const struct oracle_server *server, struct oracle_cursor *cursor,
                          struct oracle_namespace *namespace) {
  pid_t pid = clone(hold, holder_stack + sizeof holder_stack,
                    CLONE_NEWUSER | CLONE_VM | CLONE_FILES | SIGCHLD, NULL);
  if (pid < 0) return oracle_fail(server->shared, "cannot make a user namespace", "");
  int failed = write_map(server->proc, pid, "uid_map", cursor, &namespace->some_uid);
  if (failed) oracle_fail(server->shared, "cannot write", "uid_map");
  if (!failed) {
    failed = write_map(server->proc, pid, "gid_map", cursor, &namespace->some_gid);
    if (failed) oracle_fail(server->shared, "cannot write", "gid_map");
  }
  if (!failed) {
    char path[64];
    snprintf(path, sizeof path, "%d/ns/user", (int)pid);
    namespace->fd = openat(server->proc, path, O_RDONLY | O_CLOEXEC);
    if (namespace->fd < 0) failed = oracle_fail(server->shared, "cannot open", path);
  }
  kill(pid, SIGKILL);
  waitpid(pid, NULL, 0);
  return failed;
}

int oracle_make_namespaces(const struct oracle_server *server, struct oracle_cursor *cursor,
                           struct oracle_namespace *namespaces, uint32_t *count) {
  *count = oracle_take_count(cursor, ORACLE_NAMESPACES);
  for (uint32_t index = 0; index < *count; index++) {
    namespaces[index].fd = -1;
    if (make_namespace(server, cursor, &namespaces[index])) return -1;
  }
  return 0;
}
