#pragma once
// The kernel's keyrings, and two glibc functions, for programs that hold secrets.
//
// Swift cannot call syscall(2), which is variadic. glibc has no functions for keyrings, and
// libkeyutils would be a further library for only four calls. Each function returns its result, or
// `-errno` on failure. The functions are `static inline`, so nothing needs to be linked.

#include <errno.h>
#include <linux/keyctl.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static inline long ckeyring_result(long result) { return result < 0 ? -errno : result; }

/// Returns the persistent keyring of the effective user, which the calling thread then possesses.
///
/// A process must possess the keyring to search it and write to it. The keyring is linked to the
/// thread's own keyring, which ends with the thread.
static inline long ckeyring_persistent(void) {
  return ckeyring_result(syscall(SYS_keyctl, KEYCTL_GET_PERSISTENT, (unsigned long)geteuid(),
                                 (unsigned long)KEY_SPEC_THREAD_KEYRING, 0, 0));
}

/// Finds the key with a name that was passed to add_key(2) in a keyring.
static inline long ckeyring_search(int32_t keyring, const char *name) {
  return ckeyring_result(
      syscall(SYS_keyctl, KEYCTL_SEARCH, (unsigned long)keyring, "user", name, 0));
}

/// Returns the size of a key's content, and copies the content if the buffer is large enough.
static inline long ckeyring_read(int32_t key, void *room, size_t size) {
  return ckeyring_result(syscall(SYS_keyctl, KEYCTL_READ, (unsigned long)key, room, size, 0));
}

/// Adds a key, or changes the content of the key with the same name.
static inline long ckeyring_write(int32_t keyring, const char *name, const void *content,
                                  size_t size) {
  return ckeyring_result(syscall(SYS_add_key, "user", name, content, size, (unsigned long)keyring));
}

/// Removes a key from a keyring; the kernel erases a key that is in no keyring.
static inline long ckeyring_unlink(int32_t key, int32_t keyring) {
  return ckeyring_result(
      syscall(SYS_keyctl, KEYCTL_UNLINK, (unsigned long)key, (unsigned long)keyring, 0, 0));
}

// glibc declares this function only with _GNU_SOURCE.
extern char *secure_getenv(const char *name);
