// The tree of a question: tmpfs filesystems, each with a builder's mount without any flag and the
// mount that the subjects see. The worker's root is the server's base, which holds the
// directories b0, b1 and so on (builders) and root.

#include "oracle_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/securebits.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/// A filesystem to make, perhaps in the name of a user namespace.
struct filesystem {
  const struct oracle_namespace *owner;
  int fd;
};

static int make_detached(void) {
  int context = fsopen("tmpfs", FSOPEN_CLOEXEC);
  if (context < 0) return -1;
  int fd = -1;
  if (fsconfig(context, FSCONFIG_SET_STRING, "mode", "0755", 0) == 0
      && fsconfig(context, FSCONFIG_CMD_CREATE, NULL, NULL, 0) == 0) {
    fd = fsmount(context, FSMOUNT_CLOEXEC, 0);
  }
  int error = errno;
  close(context);
  errno = error;
  return fd;
}

/// The filesystem identifiers of the calling process become mapped in `owner`, without losing
/// capabilities: what it creates then has identifiers that the filesystem can hold.
static int act_as(const struct oracle_namespace *owner) {
  if (prctl(PR_SET_SECUREBITS, SECBIT_NO_SETUID_FIXUP)) return -1;
  syscall(SYS_setfsgid, owner == NULL ? 0 : owner->some_gid);
  syscall(SYS_setfsuid, owner == NULL ? 0 : owner->some_uid);
  return 0;
}

static int make_owned(void *argument) {
  struct filesystem *filesystem = argument;
  if (act_as(filesystem->owner)) return 1;
  if (setns(filesystem->owner->fd, CLONE_NEWUSER) || unshare(CLONE_NEWNS)) return 1;
  filesystem->fd = make_detached();
  return filesystem->fd < 0;
}

/// Mounts a new filesystem at `place`.
static int mount_builder(struct oracle_shared *shared, const struct oracle_namespace *owner,
                         const char *place) {
  struct filesystem filesystem = {.owner = owner, .fd = -1};
  if (owner == NULL) {
    filesystem.fd = make_detached();
  } else if (oracle_run_child(make_owned, &filesystem)) {
    return oracle_fail(shared, "cannot make the filesystem of", "a user namespace");
  }
  if (filesystem.fd < 0) return oracle_fail(shared, "cannot make a", "tmpfs");
  if (move_mount(filesystem.fd, "", AT_FDCWD, place, MOVE_MOUNT_F_EMPTY_PATH)) {
    return oracle_fail(shared, "cannot mount at", place);
  }
  close(filesystem.fd);
  int builder = open(place, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (builder < 0) return oracle_fail(shared, "cannot open", place);
  return builder;
}

/// Mounts what the subjects see at `place`.
static int mount_seen(struct oracle_shared *shared, const struct oracle_mount *mount, int idmap,
                      const char *place) {
  int fd = open_tree(mount->builder, "",
                     AT_EMPTY_PATH | OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC);
  if (fd < 0) return oracle_fail(shared, "cannot clone the mount at", place);
  struct mount_attr attributes;
  memset(&attributes, 0, sizeof attributes);
  if (mount->flags & ORACLE_READONLY) attributes.attr_set |= MOUNT_ATTR_RDONLY;
  if (mount->flags & ORACLE_NODEV) attributes.attr_set |= MOUNT_ATTR_NODEV;
  if (mount->flags & ORACLE_NOEXEC) attributes.attr_set |= MOUNT_ATTR_NOEXEC;
  if (mount->flags & ORACLE_NOSYMFOLLOW) attributes.attr_set |= MOUNT_ATTR_NOSYMFOLLOW;
  if (idmap >= 0) {
    attributes.attr_set |= MOUNT_ATTR_IDMAP;
    attributes.userns_fd = (uint64_t)idmap;
  }
  if (attributes.attr_set
      && mount_setattr(fd, "", AT_EMPTY_PATH, &attributes, sizeof attributes)) {
    return oracle_fail(shared, "cannot set the flags of", place);
  }
  if (move_mount(fd, "", AT_FDCWD, place, MOVE_MOUNT_F_EMPTY_PATH)) {
    return oracle_fail(shared, "cannot mount at", place);
  }
  close(fd);
  return 0;
}

static int make_superblock_readonly(struct oracle_shared *shared, int builder) {
  int context = fspick(builder, "", FSPICK_EMPTY_PATH | FSPICK_CLOEXEC);
  if (context < 0) return oracle_fail(shared, "cannot pick", "a superblock");
  if (fsconfig(context, FSCONFIG_SET_FLAG, "ro", NULL, 0)
      || fsconfig(context, FSCONFIG_CMD_RECONFIGURE, NULL, NULL, 0)) {
    return oracle_fail(shared, "cannot make read-only", "a superblock");
  }
  close(context);
  return 0;
}

int oracle_enter_tree(const struct oracle_server *server, struct oracle_cursor *cursor,
                      const struct oracle_namespace *namespaces, uint32_t namespace_count) {
  static const char *const places[ORACLE_MOUNTS] = {"/b0", "/b1", "/b2", "/b3"};
  struct oracle_shared *shared = server->shared;
  struct oracle_mount mounts[ORACLE_MOUNTS] = {{-1, 0}};
  const struct oracle_namespace *owners[ORACLE_MOUNTS] = {NULL};
  int idmaps[ORACLE_MOUNTS];
  char seen[ORACLE_MOUNTS][4096];
  uint32_t mount_count = oracle_take_count(cursor, ORACLE_MOUNTS);
  for (uint32_t index = 0; index < mount_count; index++) {
    const char *at = oracle_take_text(cursor);
    mounts[index].flags = oracle_take(cursor);
    uint32_t idmap = oracle_take_count(cursor, namespace_count);
    uint32_t owner = oracle_take_count(cursor, namespace_count);
    if (cursor->broken) return oracle_fail(shared, "broken message", "mount");
    idmaps[index] = idmap > 0 ? namespaces[idmap - 1].fd : -1;
    if (owner > 0) owners[index] = &namespaces[owner - 1];
    snprintf(seen[index], sizeof seen[index], "/root/%s", at);
    mounts[index].builder = mount_builder(shared, owners[index], places[index]);
    if (mounts[index].builder < 0) return -1;
  }
  struct oracle_cursor devices = *cursor;
  uint32_t kind = oracle_take_count(cursor, 2);
  uint32_t exceptions = kind == 0 ? 0 : oracle_take_count(cursor, 64);
  for (uint32_t index = 0; index < exceptions; index++) oracle_take_text(cursor);
  struct oracle_cursor tools = *cursor;
  if (oracle_take_count(cursor, 1)) {
    for (int file = 0; file < 4; file++) oracle_take_text(cursor);
  }

  uint32_t node_count = oracle_take_count(cursor, 4096);
  const struct oracle_cursor first = *cursor;
  for (uint32_t index = 0; index < node_count; index++) {
    struct oracle_cursor peek = *cursor;
    uint32_t mount = oracle_take_count(&peek, mount_count - 1);
    if (act_as(owners[mount])) return oracle_fail(shared, "cannot become", "the builder");
    if (oracle_create_node(shared, mounts, cursor)) return -1;
  }
  if (cursor->broken) return oracle_fail(shared, "broken message", "node");
  for (uint32_t index = 0; index < mount_count; index++) {
    if (act_as(owners[index])) return oracle_fail(shared, "cannot become", "the builder");
    if (oracle_note_inodes(shared, index, mounts[index].builder, seen[index])) return -1;
  }
  act_as(NULL);

  for (uint32_t index = 0; index < mount_count; index++) {
    if (mount_seen(shared, &mounts[index], idmaps[index], seen[index])) return -1;
  }
  // The root becomes what the message says only now: chroot(2) needs to search it.
  *cursor = first;
  for (uint32_t index = 0; index < node_count; index++) {
    if (oracle_finish_node(shared, mounts, cursor, 0)) return -1;
  }
  if (oracle_take_count(&tools, 1) && oracle_mount_tools(server, &tools)) return -1;
  if (chroot("/root") || chdir("/")) return oracle_fail(shared, "cannot enter", "the tree");
  struct oracle_cursor again = first;
  for (uint32_t index = 0; index < node_count; index++) {
    if (oracle_finish_node(shared, mounts, &again, 1)) return -1;
  }
  for (uint32_t index = 0; index < mount_count; index++) {
    if ((mounts[index].flags & ORACLE_SUPERBLOCK_READONLY)
        && make_superblock_readonly(shared, mounts[index].builder)) {
      return -1;
    }
  }
  return oracle_enter_cgroup(server, &devices);
}
