#pragma once

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "include/oracle.h"

/// What the asking process and the server share.
struct oracle_shared {
  int ready;                      ///< 1 when the server can be asked, -1 when `reason` says why not
  int has_device_cgroup;
  int protected_symlinks;
  int protected_regular;
  int protected_fifos;
  uint32_t length;                ///< of the message
  uint32_t answered;              ///< answers given so far
  int failed;                     ///< the reason is set
  char reason[KERNEL_ORACLE_TEXT];
  int32_t answers[KERNEL_ORACLE_ANSWERS];
  char output[4096];              ///< what the commands printed
  uint8_t message[KERNEL_ORACLE_MESSAGE];
};

/// What the server keeps open while it lives.
struct oracle_server {
  struct oracle_shared *shared;
  int socket;
  int proc;                       ///< the root of a proc mount of the server's PID namespace
  int lock;                       ///< -1 when fs.protected_symlinks cannot be changed
  int cgroup;                     ///< -1 when there are no device lists
  int cgroup_parent;
  char cgroup_name[64];
  int has_tools;
};

/// Notes why something failed, with the text of errno. Returns -1. Only the first reason stays.
int oracle_fail(struct oracle_shared *shared, const char *step, const char *detail);

// Messages (oracle_message.c)

/// A place in a message. Reading past the end yields zeros and sets `broken`.
struct oracle_cursor {
  const uint8_t *next;
  const uint8_t *end;
  int broken;
};

uint32_t oracle_take(struct oracle_cursor *cursor);
uint64_t oracle_take64(struct oracle_cursor *cursor);
/// A string in place; it ends with a NUL.
const char *oracle_take_text(struct oracle_cursor *cursor);
/// How many elements follow, or 0 and `broken` when more than `limit`.
uint32_t oracle_take_count(struct oracle_cursor *cursor, uint32_t limit);

// User namespaces (oracle_namespace.c)

enum { ORACLE_NAMESPACES = 64 };

struct oracle_namespace {
  int fd;                         ///< -1 for none
  uint32_t some_uid;              ///< a kuid that the namespace maps, 0 if none
  uint32_t some_gid;
};

int oracle_make_namespaces(
  const struct oracle_server *server, struct oracle_cursor *cursor,
  struct oracle_namespace *namespaces, uint32_t *count);

// Trees (oracle_tree.c, oracle_node.c)

struct oracle_mount {
  int builder;                    ///< a directory that shows the filesystem without any flag
  uint32_t flags;
};

enum {
  ORACLE_MOUNTS = 4,
  ORACLE_READONLY = 1,
  ORACLE_NODEV = 2,
  ORACLE_NOEXEC = 4,
  ORACLE_NOSYMFOLLOW = 8,
  ORACLE_SUPERBLOCK_READONLY = 16,
};

/// Builds the mounts and nodes and enters them with chroot(2).
int oracle_enter_tree(
  const struct oracle_server *server, struct oracle_cursor *cursor,
  const struct oracle_namespace *namespaces, uint32_t namespace_count);
/// Creates a node without its final attributes.
int oracle_create_node(
  struct oracle_shared *shared, const struct oracle_mount *mounts, struct oracle_cursor *cursor);
/// Gives a node its owner, access control list, mode and flags. With `only_root` only the root
/// of the first mount, without only all others.
int oracle_finish_node(
  struct oracle_shared *shared, const struct oracle_mount *mounts, struct oracle_cursor *cursor,
  int only_root);

/// Notes how far the inode numbers of a mount go, so that what is created later can be told.
/// `at` is where subjects see the mount, `/root` in front.
int oracle_note_inodes(struct oracle_shared *shared, uint32_t mount, int builder, const char *at);
/// Removes the file behind a descriptor if it was created after the tree was complete, and closes
/// the descriptor.
int oracle_remove_created(const struct oracle_server *server, int fd);

// Commands (oracle_commands.c)

enum { ORACLE_GROUPS = 256 };

void oracle_open_tools(struct oracle_server *server);
/// Makes the machine's tools and accounts of the message part of the tree.
int oracle_mount_tools(const struct oracle_server *server, struct oracle_cursor *cursor);
/// Runs commands; the answer to each is its exit status.
int oracle_run_commands(const struct oracle_server *server, struct oracle_cursor *cursor);
/// Reads the groups of a new login from the tree's /etc/group.
int oracle_take_login(const char *name, uint32_t gid, uint32_t *groups, uint32_t *count);

// Subjects (oracle_subject.c)

int oracle_run_subjects(
  const struct oracle_server *server, struct oracle_cursor *cursor,
  const struct oracle_namespace *namespaces, uint32_t namespace_count);

/// Runs a function in a child that shares memory and descriptors, and waits for it.
int oracle_run_child(int (*function)(void *), void *argument);

// What is shared with the machine (oracle_sysctl.c, oracle_cgroup.c)

void oracle_open_sysctl(struct oracle_server *server);
enum { ORACLE_SYSCTLS = 3 };

/// Makes fs.protected_symlinks, _regular and _fifos read `values` and holds them there until the
/// unlock. Below 0 is any.
int oracle_lock_sysctl(struct oracle_server *server, const int values[ORACLE_SYSCTLS]);
void oracle_unlock_sysctl(struct oracle_server *server);
/// Restores what the machine had, if no other oracle lives.
void oracle_close_sysctl(struct oracle_server *server);

void oracle_open_cgroup(struct oracle_server *server);
/// Reads a device list and moves the calling process under it.
int oracle_enter_cgroup(const struct oracle_server *server, struct oracle_cursor *cursor);
void oracle_close_cgroup(struct oracle_server *server);

/// The server's life. Does not return.
_Noreturn void oracle_serve(struct oracle_server *server);
