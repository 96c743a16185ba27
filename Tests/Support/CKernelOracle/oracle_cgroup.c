// One control group for each server, in the version 1 `devices` hierarchy where there is one.
// Its list is rewritten for each tree that has one.

#include "oracle_internal.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const hierarchy = "/sys/fs/cgroup/devices";

static ssize_t read_file(int directory, const char *name, char *text, size_t size) {
  int fd = openat(directory, name, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return -1;
  ssize_t got = read(fd, text, size - 1);
  close(fd);
  if (got >= 0) text[got] = 0;
  return got;
}

static int write_file(int directory, const char *name, const char *text) {
  int fd = openat(directory, name, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return -1;
  size_t length = strlen(text);
  ssize_t wrote = write(fd, text, length);
  close(fd);
  return wrote == (ssize_t)length ? 0 : -1;
}

/// Finds the path of this process in the hierarchy.
static int own_path(char *path, size_t size) {
  char text[8192];
  if (read_file(AT_FDCWD, "/proc/self/cgroup", text, sizeof text) < 0) return -1;
  const char *line = strstr(text, ":devices:");
  if (line == NULL) return -1;
  line += strlen(":devices:");
  int length = (int)strcspn(line, "\n");
  return snprintf(path, size, "%s%.*s", hierarchy, length, line) < (int)size ? 0 : -1;
}

void oracle_open_cgroup(struct oracle_server *server) {
  char path[4096], list[64];
  server->cgroup = -1;
  if (own_path(path, sizeof path)) return;
  int parent = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (parent < 0) return;
  // A child of a restricted group is restricted by both lists.
  if (read_file(parent, "devices.list", list, sizeof list) < 0
      || strcmp(list, "a *:* rwm\n") != 0) {
    close(parent);
    return;
  }
  // The process identifier of the server is 1 in its own namespace; the inode of that namespace
  // is a name that no other oracle has.
  struct stat namespace;
  if (stat("/proc/thread-self/ns/pid", &namespace)) {
    close(parent);
    return;
  }
  snprintf(server->cgroup_name, sizeof server->cgroup_name, "kernel-oracle-%llu",
           (unsigned long long)namespace.st_ino);
  if (mkdirat(parent, server->cgroup_name, 0700)) {
    close(parent);
    return;
  }
  server->cgroup_parent = parent;
  server->cgroup = openat(parent, server->cgroup_name, O_PATH | O_DIRECTORY | O_CLOEXEC);
  server->shared->has_device_cgroup = server->cgroup >= 0;
}

int oracle_enter_cgroup(const struct oracle_server *server, struct oracle_cursor *cursor) {
  uint32_t kind = oracle_take_count(cursor, 2);
  if (kind == 0) return 0;
  if (server->cgroup < 0) return oracle_fail(server->shared, "no device control group", "");
  if (write_file(server->cgroup, kind == 1 ? "devices.allow" : "devices.deny", "a")) {
    return oracle_fail(server->shared, "cannot reset the device list", "");
  }
  uint32_t count = oracle_take_count(cursor, 64);
  for (uint32_t index = 0; index < count; index++) {
    const char *exception = oracle_take_text(cursor);
    if (write_file(server->cgroup, kind == 1 ? "devices.deny" : "devices.allow", exception)) {
      return oracle_fail(server->shared, "cannot add to the device list", exception);
    }
  }
  if (write_file(server->cgroup, "cgroup.procs", "0")) {
    return oracle_fail(server->shared, "cannot enter the control group", "");
  }
  return 0;
}

void oracle_close_cgroup(struct oracle_server *server) {
  if (server->cgroup < 0) return;
  close(server->cgroup);
  unlinkat(server->cgroup_parent, server->cgroup_name, AT_REMOVEDIR);
  close(server->cgroup_parent);
}
