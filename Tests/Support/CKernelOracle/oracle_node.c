// Nodes: first created with attributes that are in nobody's way, then finished.

#include "oracle_internal.h"

#include <endian.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>

enum { ENTRIES = 512 };

/// The form of `system.posix_acl_access`, as in linux/posix_acl_xattr.h.
struct acl_entry {
  uint16_t tag, permissions;
  uint32_t id;
};
struct acl {
  uint32_t version;
  struct acl_entry entries[ENTRIES];
};

struct node {
  uint32_t mount;
  const char *path;               // relative; empty for the root of the mount
  uint32_t type, mode, uid, gid, major, minor;
  const char *target;
  uint32_t entry_count;           // 0 for none
  uint32_t flags;
  struct acl acl;
};

static int take_node(struct oracle_cursor *cursor, struct node *node) {
  node->mount = oracle_take_count(cursor, ORACLE_MOUNTS - 1);
  node->path = oracle_take_text(cursor);
  uint32_t *words[] = {&node->type, &node->mode, &node->uid, &node->gid, &node->major,
                       &node->minor};
  for (int index = 0; index < 6; index++) *words[index] = oracle_take(cursor);
  node->target = oracle_take_text(cursor);
  node->acl.version = htole32(2);
  uint32_t entries = oracle_take_count(cursor, ENTRIES + 1);
  node->entry_count = entries == 0 ? 0 : entries - 1;
  for (uint32_t index = 0; index < node->entry_count; index++) {
    node->acl.entries[index].tag = htole16((uint16_t)oracle_take(cursor));
    node->acl.entries[index].permissions = htole16((uint16_t)oracle_take(cursor));
    node->acl.entries[index].id = htole32(oracle_take(cursor));
  }
  node->flags = oracle_take(cursor);
  return cursor->broken ? -1 : 0;
}

int oracle_create_node(struct oracle_shared *shared, const struct oracle_mount *mounts,
                       struct oracle_cursor *cursor) {
  static struct node node;
  if (take_node(cursor, &node)) return oracle_fail(shared, "broken message", "node");
  if (node.path[0] == 0) return 0;
  int builder = mounts[node.mount].builder, failed;
  if (node.type == S_IFDIR) {
    failed = mkdirat(builder, node.path, 0755);
  } else if (node.type == S_IFLNK) {
    failed = symlinkat(node.target, builder, node.path);
  } else {
    failed = mknodat(builder, node.path, node.type | 0600, makedev(node.major, node.minor));
  }
  return failed ? oracle_fail(shared, "cannot create", node.path) : 0;
}

static int set_flags(int fd, uint32_t flags) {
  int value = 0;
  if (flags & 1) value |= FS_IMMUTABLE_FL;
  if (flags & 2) value |= FS_APPEND_FL;
  return ioctl(fd, FS_IOC_SETFLAGS, &value);
}

/// Finishes the root of the first mount, which has no path any more once it was entered.
static int finish_root(struct oracle_shared *shared, int fd, const struct node *node,
                       size_t acl_size) {
  if (fchown(fd, node->uid, node->gid)) return oracle_fail(shared, "cannot own", "/");
  if (acl_size && fsetxattr(fd, "system.posix_acl_access", &node->acl, acl_size, 0)) {
    return oracle_fail(shared, "cannot set the list of", "/");
  }
  if (fchmod(fd, node->mode)) return oracle_fail(shared, "cannot set the mode of", "/");
  if (node->flags && set_flags(fd, node->flags)) {
    return oracle_fail(shared, "cannot set the flags of", "/");
  }
  return 0;
}

int oracle_finish_node(struct oracle_shared *shared, const struct oracle_mount *mounts,
                       struct oracle_cursor *cursor, int only_root) {
  static struct node node;
  if (take_node(cursor, &node)) return oracle_fail(shared, "broken message", "node");
  size_t acl_size = node.entry_count == 0
    ? 0 : sizeof node.acl.version + node.entry_count * sizeof node.acl.entries[0];
  int is_root = node.mount == 0 && node.path[0] == 0;
  if (is_root != only_root) return 0;
  if (is_root) return finish_root(shared, mounts[0].builder, &node, acl_size);
  char path[8192];
  snprintf(path, sizeof path, "/b%u/%s", node.mount, node.path);
  if (lchown(path, node.uid, node.gid)) return oracle_fail(shared, "cannot own", path);
  if (node.type == S_IFLNK) return 0;
  if (acl_size && lsetxattr(path, "system.posix_acl_access", &node.acl, acl_size, 0)) {
    return oracle_fail(shared, "cannot set the list of", path);
  }
  if (chmod(path, node.mode)) return oracle_fail(shared, "cannot set the mode of", path);
  if (node.flags == 0) return 0;
  int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0 || set_flags(fd, node.flags)) {
    return oracle_fail(shared, "cannot set the flags of", path);
  }
  close(fd);
  return 0;
}
