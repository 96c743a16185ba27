#pragma once
// The kernel's keyrings, and two functions of glibc, for programs that hold secrets.
//
// Swift cannot call syscall(2), which is variadic; glibc has no functions for keyrings, and
// libkeyutils would be one more library for four calls. Each function returns its result, or `-errno`
// when the call failed. They are `static inline`, so that nothing has to be linked.

#include <errno.h>
#include <linux/keyctl.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static inline long ckeyring_result(long result) { return result < 0 ? -errno : result; }

/// The persistent keyring of the effective user, which the calling thread possesses from then on.
///
/// Possession is what lets a process search it and write to it. The keyring is linked to the thread's
/// own keyring, which ends with the thread.
static inline long ckeyring_persistent(void) {
  return ckeyring_result(syscall(SYS_keyctl, KEYCTL_GET_PERSISTENT, (unsigned long)geteuid(),
                                 (unsigned long)KEY_SPEC_THREAD_KEYRING, 0, 0));
}

/// The key of a name in a keyring: add_key(2) finds it by that again.
static inline long ckeyring_search(int32_t keyring, const char *name) {
  return ckeyring_result(
      syscall(SYS_keyctl, KEYCTL_SEARCH, (unsigned long)keyring, "user", name, 0));
}

/// How long a key's content is; it is copied if the room suffices.
static inline long ckeyring_read(int32_t key, void *room, size_t size) {
  return ckeyring_result(syscall(SYS_keyctl, KEYCTL_READ, (unsigned long)key, room, size, 0));
}

/// Adds a key, or changes that of the same name.
static inline long ckeyring_write(int32_t keyring, const char *name, const void *content,
                                  size_t size) {
  return ckeyring_result(syscall(SYS_add_key, "user", name, content, size, (unsigned long)keyring));
}

/// Takes a key out of a keyring; the kernel wipes one that is in no keyring.
static inline long ckeyring_unlink(int32_t key, int32_t keyring) {
  return ckeyring_result(
      syscall(SYS_keyctl, KEYCTL_UNLINK, (unsigned long)key, (unsigned long)keyring, 0, 0));
}

// Declared by glibc only with _GNU_SOURCE.
extern char *secure_getenv(const char *name);
