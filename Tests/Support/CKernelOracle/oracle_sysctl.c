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

void oracle_open_sysctl(struct oracle_server *server) {
  int current[ORACLE_SYSCTLS], may_change = 1;
  for (int index = 0; index < ORACLE_SYSCTLS; index++) {
    current[index] = read_value(server, index);
    if (current[index] < 0 || write_value(server, index, current[index])) may_change = 0;
  }
  int fd = -1;
  server->lock = -1;
  if (may_change) fd = open(lock_path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd >= 0) {
    char digits[ORACLE_SYSCTLS];
    int failed = 0;
    if (set_lock(fd, F_OFD_SETLK, F_WRLCK, 0) == 0) {
      // An oracle that was killed leaves the machine's values behind in the file.
      int count = remembered(fd, digits);
      for (int index = count; index < ORACLE_SYSCTLS; index++) {
        digits[index] = (char)('0' + current[index]);
      }
      if (pwrite(fd, digits, ORACLE_SYSCTLS, 0) != ORACLE_SYSCTLS) failed = 1;
    }
    if (failed || set_lock(fd, F_OFD_SETLKW, F_RDLCK, 0)) {
      close(fd);
    } else {
      int count = remembered(fd, digits);
      for (int index = 0; index < count; index++) current[index] = digits[index] - '0';
      server->lock = fd;
    }
  }
  server->shared->protected_symlinks = current[0];
  server->shared->protected_regular = current[1];
  server->shared->protected_fifos = current[2];
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
