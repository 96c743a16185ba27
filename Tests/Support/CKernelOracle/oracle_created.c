// What a subject created: told from the nodes of the tree by its inode number, since tmpfs counts
// them up, and removed again, so that every request meets the same tree.

#include "oracle_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

static struct {
  int builder;                    // shows the filesystem without any flag or map
  size_t prefix;                  // how much of a path leads to the mount
  dev_t device;
  ino_t last;
} known[ORACLE_MOUNTS];
static uint32_t known_count;

int oracle_note_inodes(struct oracle_shared *shared, uint32_t mount, int builder,
                       const char *at) {
  // An unnamed file takes the number after the last.
  struct stat status;
  int fd = openat(builder, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (fd < 0 || fstat(fd, &status)) return oracle_fail(shared, "cannot count", "inodes");
  close(fd);
  size_t length = strlen(at) - strlen("/root");
  while (length > 0 && at[strlen("/root") + length - 1] == '/') length--;
  known[mount].builder = builder;
  known[mount].prefix = length + 1;
  known[mount].device = status.st_dev;
  known[mount].last = status.st_ino;
  known_count = mount + 1;
  return 0;
}

/// Removes a name also from a directory to which names can only be added.
static int remove_name(int builder, const char *path) {
  if (unlinkat(builder, path, 0) == 0) return 0;
  if (errno != EPERM) return -1;
  char directory[8192];
  snprintf(directory, sizeof directory, "./%s", path);
  *strrchr(directory, '/') = 0;
  int fd = openat(builder, directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  int flags = 0, none = 0;
  if (fd < 0 || ioctl(fd, FS_IOC_GETFLAGS, &flags) || ioctl(fd, FS_IOC_SETFLAGS, &none)) return -1;
  int failed = unlinkat(builder, path, 0);
  if (ioctl(fd, FS_IOC_SETFLAGS, &flags)) failed = -1;
  close(fd);
  return failed;
}

int oracle_remove_created(const struct oracle_server *server, int fd) {
  struct stat status;
  if (fstat(fd, &status)) return oracle_fail(server->shared, "cannot ask", "what was created");
  int failed = 0;
  for (uint32_t index = 0; index < known_count; index++) {
    if (status.st_dev != known[index].device || status.st_ino <= known[index].last) continue;
    char name[64], path[8192];
    snprintf(name, sizeof name, "self/fd/%d", fd);
    ssize_t length = readlinkat(server->proc, name, path, sizeof path - 1);
    path[length < 0 ? 0 : length] = 0;
    failed = length < (ssize_t)known[index].prefix
      || remove_name(known[index].builder, path + known[index].prefix);
    if (failed) oracle_fail(server->shared, "cannot remove", path);
  }
  close(fd);
  return failed ? -1 : 0;
}
