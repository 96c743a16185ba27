#pragma once

#include <stddef.h>
#include <stdint.h>

/// Asks the running kernel what open(2) and faccessat2(2) answer in a described situation.
///
/// One server process belongs to each oracle. It lives in its own PID and mount namespace, so
/// that everything it starts or mounts ends with it, and it ends when the oracle is stopped or
/// the asking process dies. For each question it builds the described tree on fresh tmpfs mounts,
/// enters it with chroot(2), and lets one child per subject take that subject's credentials and
/// make its system calls. Nothing outside is changed but fs.protected_symlinks,
/// fs.protected_regular and fs.protected_fifos (see `oracle_sysctl.c`) and one control group directory.
///
/// Needs root in the initial user namespace with the usual capabilities.
struct kernel_oracle;

enum {
  KERNEL_ORACLE_TEXT = 256,           ///< size of a buffer for a reason
  KERNEL_ORACLE_MESSAGE = 1 << 21,    ///< the longest message, bytes
  KERNEL_ORACLE_ANSWERS = 1 << 14,    ///< the most answers to one message
};

/// Starts a server. Returns NULL and fills `reason` (KERNEL_ORACLE_TEXT bytes) when this process
/// may not or this kernel cannot.
struct kernel_oracle *kernel_oracle_start(char *reason);

/// Whether device lists of version 1 control groups can be built.
int kernel_oracle_has_device_cgroup(const struct kernel_oracle *oracle);

/// The value of fs.protected_symlinks that the machine had, 0 or higher; -1 when it can be
/// neither read nor written.
int kernel_oracle_protected_symlinks(const struct kernel_oracle *oracle);

/// The same for fs.protected_regular and fs.protected_fifos.
int kernel_oracle_protected_regular(const struct kernel_oracle *oracle);
int kernel_oracle_protected_fifos(const struct kernel_oracle *oracle);

/// Answers one message: `count` error numbers in the order of the requests, 0 for success, and
/// the exit statuses of its commands.
///
/// Returns 0, or -1 with a reason (KERNEL_ORACLE_TEXT bytes) when the tree could not be built, a
/// subject's credentials could not be taken, or the time (milliseconds) ran out; the oracle stays
/// usable. `oracle_message.c` has the layout of a message.
int kernel_oracle_ask(
  struct kernel_oracle *oracle, const uint8_t *message, size_t length, int32_t *answers,
  size_t count, int timeout, char *reason);

/// What the commands of the last message printed, the start of it.
const char *kernel_oracle_output(const struct kernel_oracle *oracle);

/// Ends the server, waits for it, and frees the oracle.
void kernel_oracle_stop(struct kernel_oracle *oracle);
