// fs.protected_symlinks, fs.protected_regular and fs.protected_fifos belong to the whole machine,
// and several oracles may run at once. Locks on one file keep them apart: byte 0 is held by
// everyone who lives, so that the last one can restore what the file remembers; byte 1 is shared
// by those who need the present values and taken alone by whoever changes them.

#include "oracle_internal.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static const char *const settings[ORACLE_SYSCTLS] = {
  "sys/fs/protected_symlinks", "sys/fs/protected_regular", "sys/fs/protected_fifos",
};
static const char *const lock_path = "/run/devaccess-kernel-oracle.lock";

static int set_lock(int fd, int command, short type, off_t byte) {
  struct flock lock;
  memset(&lock, 0, sizeof lock);
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  lock.l_start = byte;
  lock.l_len = 1;
  return fcntl(fd, command, &lock);
}

static int read_value(const struct oracle_server *server, int index) {
  char digit = 0;
  int fd = openat(server->proc, settings[index], O_RDONLY | O_CLOEXEC);
  if (fd < 0) return -1;
  ssize_t got = read(fd, &digit, 1);
  close(fd);
  return got == 1 && digit >= '0' && digit <= '9' ? digit - '0' : -1;
}

static int write_value(const struct oracle_server *server, int index, int value) {
  char digit = (char)('0' + value);
  int fd = openat(server->proc, settings[index], O_WRONLY | O_CLOEXEC);
  if (fd < 0) return -1;
  ssize_t wrote = write(fd, &digit, 1);
  close(fd);
  return wrote == 1 ? 0 : -1;
}

static int are(const struct oracle_server *server, const int values[ORACLE_SYSCTLS]) {
  for (int index = 0; index < ORACLE_SYSCTLS; index++) {
    if (values[index] >= 0 && read_value(server, index) != values[index]) return 0;
  }
  return 1;
}

/// Reads the digits that the file remembers. Returns how many are good.
static int remembered(int fd, char digits[ORACLE_SYSCTLS]) {
  ssize_t got = pread(fd, digits, ORACLE_SYSCTLS, 0);
  int count = 0;
  while (count < got && digits[count] >= '0' && digits[count] <= '9') count++;
  return count;
}

/// Whether the values may be changed. Nothing is written: another oracle may be using them.
static int may_change(const struct oracle_server *server) {
  for (int index = 0; index < ORACLE_SYSCTLS; index++) {
    int fd = openat(server->proc, settings[index], O_WRONLY | O_CLOEXEC);
    if (fd < 0) return 0;
    close(fd);
  }
  return 1;
}

/// Takes part in the life of the file, and reads the machine's own values from it.
///
/// Whoever is alone writes them down. What is read without a lock may be what another one has set.
/// Returns 0, or -1 where the file cannot be used.
static int join(const struct oracle_server *server, int fd, int values[ORACLE_SYSCTLS]) {
  char digits[ORACLE_SYSCTLS];
  for (;;) {
    if (set_lock(fd, F_OFD_SETLK, F_WRLCK, 0) == 0) {
      // An oracle that was killed leaves the machine's values behind in the file.
      int count = remembered(fd, digits);
      for (int index = count; index < ORACLE_SYSCTLS; index++) {
        int value = read_value(server, index);
        if (value < 0) return -1;
        digits[index] = (char)('0' + value);
      }
      if (pwrite(fd, digits, ORACLE_SYSCTLS, 0) != ORACLE_SYSCTLS) return -1;
    }
    if (set_lock(fd, F_OFD_SETLKW, F_RDLCK, 0)) return -1;
    if (remembered(fd, digits) == ORACLE_SYSCTLS) break;
    // The last one has left meanwhile, and restored the values.
    if (set_lock(fd, F_OFD_SETLK, F_UNLCK, 0)) return -1;
  }
  for (int index = 0; index < ORACLE_SYSCTLS; index++) values[index] = digits[index] - '0';
  return 0;
}

void oracle_open_sysctl(struct oracle_server *server) {
  int values[ORACLE_SYSCTLS];
  server->lock = -1;
  if (may_change(server)) {
    server->lock = open(lock_path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  }
  if (server->lock >= 0 && join(server, server->lock, values)) {
    close(server->lock);
    server->lock = -1;
  }
  if (server->lock < 0) {
    for (int index = 0; index < ORACLE_SYSCTLS; index++) values[index] = read_value(server, index);
  }
  server->shared->protected_symlinks = values[0];
  server->shared->protected_regular = values[1];
  server->shared->protected_fifos = values[2];
}

int oracle_lock_sysctl(struct oracle_server *server, const int values[ORACLE_SYSCTLS]) {
  if (server->lock < 0) return are(server, values) ? 0 : -1;
  if (set_lock(server->lock, F_OFD_SETLKW, F_RDLCK, 1)) return -1;
  if (are(server, values)) return 0;
  // Two that wait to change a lock they share would wait for each other: let go first.
  set_lock(server->lock, F_OFD_SETLK, F_UNLCK, 1);
  if (set_lock(server->lock, F_OFD_SETLKW, F_WRLCK, 1)) return -1;
  int failed = 0;
  for (int index = 0; index < ORACLE_SYSCTLS; index++) {
    if (values[index] >= 0 && write_value(server, index, values[index])) failed = -1;
  }
  if (set_lock(server->lock, F_OFD_SETLKW, F_RDLCK, 1)) return -1;
  return failed;
}

void oracle_unlock_sysctl(struct oracle_server *server) {
  if (server->lock >= 0) set_lock(server->lock, F_OFD_SETLK, F_UNLCK, 1);
}

void oracle_close_sysctl(struct oracle_server *server) {
  if (server->lock < 0) return;
  char digits[ORACLE_SYSCTLS];
  if (set_lock(server->lock, F_OFD_SETLK, F_WRLCK, 0) == 0) {
    int count = remembered(server->lock, digits);
    for (int index = 0; index < count; index++) write_value(server, index, digits[index] - '0');
    if (ftruncate(server->lock, 0)) {}
  }
  close(server->lock);
  server->lock = -1;
}
