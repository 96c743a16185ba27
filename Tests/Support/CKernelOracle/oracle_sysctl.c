// fs.protected_symlinks belongs to the whole machine, and several oracles may run at once. Locks
// on one file keep them apart: byte 0 is held by everyone who lives, so that the last one can
// restore what the file remembers; byte 1 is shared by those who need the present value and
// taken alone by whoever changes it.

#include "oracle_internal.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

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

static int read_value(const struct oracle_server *server) {
  char digit = 0;
  int fd = openat(server->proc, "sys/fs/protected_symlinks", O_RDONLY | O_CLOEXEC);
  if (fd < 0) return -1;
  ssize_t got = read(fd, &digit, 1);
  close(fd);
  return got == 1 && digit >= '0' && digit <= '9' ? digit - '0' : -1;
}

static int write_value(const struct oracle_server *server, int value) {
  char digit = (char)('0' + value);
  int fd = openat(server->proc, "sys/fs/protected_symlinks", O_WRONLY | O_CLOEXEC);
  if (fd < 0) return -1;
  ssize_t wrote = write(fd, &digit, 1);
  close(fd);
  return wrote == 1 ? 0 : -1;
}

void oracle_open_sysctl(struct oracle_server *server) {
  int current = read_value(server);
  server->shared->protected_symlinks = current;
  server->lock = -1;
  if (current < 0 || write_value(server, current)) return;
  int fd = open(lock_path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0) return;
  if (set_lock(fd, F_OFD_SETLK, F_WRLCK, 0) == 0) {
    char digit = 0;
    // An oracle that was killed leaves the machine's value behind in the file.
    if (pread(fd, &digit, 1, 0) != 1 || digit < '0' || digit > '9') {
      digit = (char)('0' + current);
      if (pwrite(fd, &digit, 1, 0) != 1) {
        close(fd);
        return;
      }
    }
  }
  if (set_lock(fd, F_OFD_SETLKW, F_RDLCK, 0)) {
    close(fd);
    return;
  }
  char digit = 0;
  if (pread(fd, &digit, 1, 0) == 1) server->shared->protected_symlinks = digit - '0';
  server->lock = fd;
}

int oracle_lock_sysctl(struct oracle_server *server, int value) {
  if (server->lock < 0) return read_value(server) == value ? 0 : -1;
  if (set_lock(server->lock, F_OFD_SETLKW, F_RDLCK, 1)) return -1;
  if (read_value(server) == value) return 0;
  // Two that wait to change a lock they share would wait for each other: let go first.
  set_lock(server->lock, F_OFD_SETLK, F_UNLCK, 1);
  if (set_lock(server->lock, F_OFD_SETLKW, F_WRLCK, 1)) return -1;
  int failed = write_value(server, value);
  if (set_lock(server->lock, F_OFD_SETLKW, F_RDLCK, 1)) return -1;
  return failed;
}

void oracle_unlock_sysctl(struct oracle_server *server) {
  if (server->lock >= 0) set_lock(server->lock, F_OFD_SETLK, F_UNLCK, 1);
}

void oracle_close_sysctl(struct oracle_server *server) {
  if (server->lock < 0) return;
  char digit = 0;
  if (set_lock(server->lock, F_OFD_SETLK, F_WRLCK, 0) == 0
      && pread(server->lock, &digit, 1, 0) == 1) {
    write_value(server, digit - '0');
    if (ftruncate(server->lock, 0)) {}
  }
  close(server->lock);
  server->lock = -1;
}
