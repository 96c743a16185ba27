#pragma once
// System calls and macros that Swift cannot use directly: variadic functions, system calls without
// a glibc wrapper, and structures that are only declared with _GNU_SOURCE.
//
// Every function returns its result, or `-errno` on failure, and affects only its arguments unless
// its comment says otherwise. The functions are `static inline`, so nothing needs to be linked.
//
// _GNU_SOURCE must not be defined here. It changes structures of glibc (`fd_set`), and the compiler
// then refuses to import other modules that include them.

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/bpf.h>
#include <linux/capability.h>
#include <linux/openat2.h>
#include <linux/stat.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/eventfd.h>
#include <sys/fsuid.h>
#include <sys/ioctl.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/types.h>
#include <sys/un.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

// MARK: - statx(2)

#define CLINUX_ATTR_IMMUTABLE 0x10u
#define CLINUX_ATTR_APPEND 0x20u

/// The results of statx(2) that affect a decision.
struct clinux_status {
  uint32_t mode;  // type and permission bits
  uint32_t uid;
  uint32_t gid;
  uint32_t rdev_major;
  uint32_t rdev_minor;
  uint64_t attributes;
  uint64_t attributes_mask;  // the attributes that the filesystem supports
  uint64_t mount_id;
  bool has_mount_id;  // since Linux 5.8
  bool is_partial;  // statx(2) was refused, so the attributes are unknown
};

#define CLINUX_LOOK (AT_SYMLINK_NOFOLLOW | 0x800 /* AT_NO_AUTOMOUNT */)

/// Reads the status with fstatat(2), which does not return attributes.
static inline int clinux_partial_status(const char *path, struct clinux_status *out) {
  struct stat buffer;
  if (fstatat(AT_FDCWD, path, &buffer, CLINUX_LOOK) != 0) return -errno;
  out->mode = buffer.st_mode;
  out->uid = buffer.st_uid;
  out->gid = buffer.st_gid;
  out->rdev_major = major(buffer.st_rdev);
  out->rdev_minor = minor(buffer.st_rdev);
  out->is_partial = true;
  return 0;
}

// glibc declares this function only with _GNU_SOURCE.
extern int statx(int directory, const char *path, int flags, unsigned int mask,
                 struct statx *buffer);

/// Returns whether the kernel lacks statx(2), or a filter refuses it.
static inline bool clinux_lacks_statx(void) {
  struct statx buffer;
  return syscall(SYS_statx, AT_FDCWD, "/", 0, 0, &buffer) != 0 &&
         (errno == ENOSYS || errno == EPERM);
}

/// Reads the status of `path` itself, without following a final symbolic link or triggering an
/// automount.
///
/// Swift cannot call statx(2), which glibc declares only with _GNU_SOURCE. This function calls
/// glibc instead of the system call, so a test bed can replace it.
static inline int clinux_status(const char *path, struct clinux_status *out) {
  struct statx buffer;
  memset(&buffer, 0, sizeof buffer);
  memset(out, 0, sizeof *out);
  if (statx(AT_FDCWD, path, CLINUX_LOOK, STATX_BASIC_STATS | STATX_MNT_ID, &buffer) != 0)
    return errno == ENOSYS || errno == EPERM ? clinux_partial_status(path, out) : -errno;
  // If the system call is missing, glibc silently uses fstatat(2).
  out->is_partial = buffer.stx_attributes_mask == 0 && (buffer.stx_mask & STATX_MNT_ID) == 0 &&
                    clinux_lacks_statx();
  out->mode = buffer.stx_mode;
  out->uid = buffer.stx_uid;
  out->gid = buffer.stx_gid;
  out->rdev_major = buffer.stx_rdev_major;
  out->rdev_minor = buffer.stx_rdev_minor;
  out->attributes = buffer.stx_attributes;
  out->attributes_mask = buffer.stx_attributes_mask;
  out->mount_id = buffer.stx_mnt_id;
  out->has_mount_id = (buffer.stx_mask & STATX_MNT_ID) != 0;
  return 0;
}

// MARK: - statfs(2)

/// Returns the magic number and the mount flags (`ST_*`) of the filesystem that contains `path`.
///
/// Swift's Glibc module does not include sys/vfs.h.
static inline int clinux_filesystem(const char *path, uint32_t *type, uint64_t *flags) {
  struct statfs buffer;
  if (statfs(path, &buffer) != 0) return -errno;
  *type = (uint32_t)buffer.f_type;
  *flags = (uint64_t)buffer.f_flags;
  return 0;
}

// MARK: - faccessat2(2)

/// Checks access with the effective credentials (`AT_EACCESS`); returns 0 or `-errno`.
///
/// Swift cannot call syscall(2), which is variadic. faccessat(3) of glibc may evaluate only the
/// mode bits, and ignore access control lists and capabilities.
static inline int clinux_access(const char *path, int mode) {
  return syscall(439, AT_FDCWD, path, mode, AT_EACCESS) == 0 ? 0 : -errno;
}

/// Checks access in the same way to the object of a descriptor, which may have been opened with
/// O_PATH.
///
/// glibc declares AT_EMPTY_PATH only with _GNU_SOURCE.
static inline int clinux_access_held(int descriptor, int mode) {
  return syscall(439, descriptor, "", mode, AT_EACCESS | 0x1000) == 0 ? 0 : -errno;
}

/// The identity to ask with, with the IDs of the caller's own user namespace.
struct clinux_identity {
  uint32_t user;
  uint32_t group;
  const uint32_t *groups;
  size_t group_count;
  uint64_t capabilities;  // permitted and effective; bit n is capability n
};

/// Takes an identity permanently; returns 0 or `-errno`. Only for a child process.
///
/// It uses the raw system calls. The functions of the C library would try to change every thread of
/// the parent, of which the child has only the memory.
static inline int clinux_become(const struct clinux_identity *identity) {
  struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  struct __user_cap_data_struct data[2];
  memset(data, 0, sizeof data);
  for (int half = 0; half < 2; half++) {
    data[half].permitted = (uint32_t)(identity->capabilities >> (32 * half));
    data[half].effective = data[half].permitted;
  }
  // Without this flag, setresuid(2) would drop the capabilities before they can be set. If prctl(2)
  // is refused, capset(2) reports the error.
  syscall(SYS_prctl, PR_SET_KEEPCAPS, 1, 0, 0, 0);
  if (syscall(SYS_setgroups, identity->group_count, identity->groups) != 0) return -errno;
  if (syscall(SYS_setresgid, identity->group, identity->group, identity->group) != 0)
    return -errno;
  if (syscall(SYS_setresuid, identity->user, identity->user, identity->user) != 0) return -errno;
  if (syscall(SYS_capset, &header, data) != 0) return -errno;
  return 0;
}

/// The maximum size of a request to the process of clinux_asker_start in bytes, and the maximum
/// number of answers.
///
/// For each path, a request contains the number of permission sets, each set as one byte, and the
/// path with a NUL byte. Each answer is 0 or `-errno`, in the same order.
enum { clinux_most_asked = 1 << 14, clinux_most_answers = 256 };

/// Answers one request; returns the number of answers, or -1 if the request is invalid.
static inline int clinux_answers(const unsigned char *asked, size_t size, int *answers) {
  int total = 0;
  for (size_t place = 0; place < size;) {
    size_t count = asked[place];
    size_t path = place + 1 + count;
    if (path >= size) return -1;
    const unsigned char *end = memchr(asked + path, 0, size - path);
    if (end == NULL || count > (size_t)(clinux_most_answers - total)) return -1;
    for (size_t index = 0; index < count; index++)
      answers[total++] = clinux_access((const char *)asked + path, asked[place + 1 + index]);
    place = (size_t)(end - asked) + 1;
  }
  return total;
}

/// The child process of clinux_asker_start: takes the identity, reports the result, and answers
/// requests until the other end of its socket is closed.
__attribute__((noreturn)) static inline void clinux_answer(const struct clinux_identity *identity,
                                                           int socket) {
  // Close all descriptors of the caller; otherwise, the reader of a pipe would wait for this
  // process.
  int failure = 0;
  if (socket != 0 && syscall(SYS_dup3, socket, 0, 0) < 0) failure = -errno;
  if (failure == 0 && syscall(436 /* close_range */, 1, ~0U, 0) != 0) failure = -errno;
  if (failure == 0) failure = clinux_become(identity);
  // Keep the new user from reading the memory inherited from the caller, whatever fs.suid_dumpable
  // is.
  if (failure == 0 && syscall(SYS_prctl, PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) failure = -errno;
  int descriptor = failure == 0 ? 0 : socket;
  syscall(SYS_sendto, descriptor, &failure, sizeof failure, MSG_NOSIGNAL, NULL, 0);
  unsigned char asked[clinux_most_asked];
  int answers[clinux_most_answers];
  while (failure == 0) {
    long size = syscall(SYS_recvfrom, 0, asked, sizeof asked, 0, NULL, NULL);
    int count = size <= 0 ? -1 : clinux_answers(asked, (size_t)size, answers);
    if (count < 0) break;
    long length = count * (long)sizeof answers[0];
    if (syscall(SYS_sendto, 0, answers, length, MSG_NOSIGNAL, NULL, 0) < 0) break;
  }
  syscall(SYS_exit_group, 0);
  __builtin_unreachable();
}

/// The child process of clinux_ask_filesystem: reports when the filesystem has answered, and ends.
__attribute__((noreturn)) static inline void clinux_wait_for_filesystem(const char *path,
                                                                       int socket) {
  // Close all descriptors of the caller, because this process may wait until the machine is shut
  // down.
  int failure = 0;
  if (socket != 0 && syscall(SYS_dup3, socket, 0, 0) < 0) failure = -errno;
  if (failure == 0 && syscall(436 /* close_range */, 1, ~0U, 0) != 0) failure = -errno;
  // End this process when the caller closes the other end or ends. PR_SET_PDEATHSIG would end it
  // with the calling thread already.
  if (failure == 0 && (syscall(SYS_fcntl, 0, F_SETOWN, syscall(SYS_getpid)) != 0 ||
                       syscall(SYS_fcntl, 0, 10 /* F_SETSIG */, SIGKILL) != 0 ||
                       syscall(SYS_fcntl, 0, F_SETFL, O_RDWR | O_ASYNC) != 0))
    failure = -errno;
  struct statx status;
  if (failure == 0)
    syscall(SYS_statx, AT_FDCWD, path, 0x2000 /* AT_STATX_FORCE_SYNC */ | 0x800 /* AT_NO_AUTOMOUNT */,
            STATX_BASIC_STATS, &status);
  syscall(SYS_sendto, failure == 0 ? 0 : socket, "", 1, MSG_NOSIGNAL, NULL, 0);
  syscall(SYS_exit_group, 0);
  __builtin_unreachable();
}

/// Returns whether a child process has ended; if so, reaps it.
static inline bool clinux_has_ended(pid_t child) {
  return waitpid(child, NULL, WNOHANG | __WALL) != 0;
}

/// Asks the filesystem at a path for the attributes of the file in a child process, because no
/// signal may interrupt a call that a filesystem does not answer.
///
/// Returns 0 if the filesystem has answered, even with an error. If it has not answered after the
/// given time, returns `-ETIMEDOUT` and the child process, which waits until the socket is closed.
/// Otherwise returns `-errno`.
static inline int clinux_ask_filesystem(const char *path, int milliseconds, pid_t *child,
                                        int *socket) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return -errno;
  // struct timeval contains seconds and microseconds.
  long patience[2] = {milliseconds / 1000, milliseconds % 1000 * 1000L};
  sigset_t all, before;
  sigfillset(&all);
  // The child inherits the signal mask, so no handler runs in it.
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int failure =
      setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, patience, sizeof patience) != 0 ? -errno : 0;
  pid_t process = 0;
  if (failure == 0) {
    process = (pid_t)syscall(SYS_clone, 0, NULL, NULL, NULL, 0);
    if (process == 0) clinux_wait_for_filesystem(path, ends[1]);
    if (process < 0) failure = -errno;
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  close(ends[1]);
  if (failure == 0) {
    char answer;
    ssize_t size;
    do size = recv(ends[0], &answer, 1, 0);
    while (size < 0 && errno == EINTR);
    if (size < 0) failure = errno == EAGAIN ? -ETIMEDOUT : -errno;
    if (size == 0) failure = -ECHILD;
  }
  if (failure == -ETIMEDOUT) {
    *child = process;
    *socket = ends[0];
    return failure;
  }
  close(ends[0]);
  if (process > 0) waitpid(process, NULL, __WALL);
  return failure;
}

/// Ends the child process of clinux_asker_start, whose socket is closed; returns whether it has
/// ended.
///
/// If it has not ended, the caller must check later with clinux_has_ended. This happens if the
/// process is stopped and the caller may not kill it, or if the kernel waits for a filesystem,
/// which no signal interrupts.
static inline bool clinux_asker_end(pid_t child) {
  kill(child, SIGKILL);
  // Wait with increasing pauses, for about a third of a second in total.
  for (long nanoseconds = 20000; nanoseconds < 200000000; nanoseconds *= 2) {
    if (clinux_has_ended(child)) return true;
    // struct timespec contains seconds and nanoseconds.
    long pause[2] = {0, nanoseconds};
    syscall(SYS_nanosleep, pause, NULL);
  }
  return clinux_has_ended(child);
}

/// Receives a message; returns `-errno` or its length, which may exceed the size of the buffer.
static inline ssize_t clinux_asker_receive(int socket, void *buffer, size_t size) {
  ssize_t length;
  do length = recv(socket, buffer, size, MSG_TRUNC);
  while (length < 0 && errno == EINTR);
  if (length < 0) return errno == EAGAIN ? -ETIMEDOUT : -errno;
  return length;
}

/// Starts a child process that takes one identity and asks the kernel for it repeatedly.
///
/// Swift cannot guarantee that no code of its runtime runs between two statements of a child
/// process, so taking the identity and asking are C functions. No thread of the caller changes, and
/// the caller stays dumpable. The child has no exit signal, so it affects neither a handler of
/// SIGCHLD nor other calls of wait(2).
///
/// The socket is the only descriptor of the child, which ends when the other end is closed or the
/// caller ends. Its user cannot trace it, but can stop and kill it. The caller therefore waits for
/// it only for the given time. Returns the other end of the socket, or `-errno` if no process has
/// the identity. In this case `*child` is 0, or a process that has not ended yet.
static inline int clinux_asker_start(const struct clinux_identity *identity, int milliseconds,
                                     pid_t *child) {
  *child = 0;
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return -errno;
  // struct timeval contains seconds and microseconds.
  long patience[2] = {milliseconds / 1000, milliseconds % 1000 * 1000L};
  sigset_t all, before;
  sigfillset(&all);
  // The child inherits the signal mask, so no handler runs in it.
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int failure =
      setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, patience, sizeof patience) != 0 ||
              setsockopt(ends[0], SOL_SOCKET, SO_SNDTIMEO, patience, sizeof patience) != 0
          ? -errno
          : 0;
  pid_t process = 0;
  if (failure == 0) {
    process = (pid_t)syscall(SYS_clone, 0, NULL, NULL, NULL, 0);
    if (process == 0) clinux_answer(identity, ends[1]);
    if (process < 0) failure = -errno;
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  close(ends[1]);
  if (failure == 0) {
    int result = 0;
    ssize_t size = clinux_asker_receive(ends[0], &result, sizeof result);
    failure = size == sizeof result ? result : size < 0 ? (int)size : -ECHILD;
    if (failure == 0) {
      *child = process;
      return ends[0];
    }
  }
  close(ends[0]);
  if (process > 0 && !clinux_asker_end(process)) *child = process;
  return failure;
}

/// Sends a request to such a child process and receives the answers.
///
/// Returns 0 or `-errno`: `-ETIMEDOUT` if the answers do not arrive in time, and `-ECHILD` if the
/// process has ended or fails.
static inline int clinux_asker_ask(int socket, const void *asked, size_t size, int *answers,
                                   int count) {
  if (size > clinux_most_asked || count > clinux_most_answers) return -E2BIG;
  ssize_t sent;
  do sent = send(socket, asked, size, MSG_NOSIGNAL);
  while (sent < 0 && errno == EINTR);
  if (sent < 0) return errno == EAGAIN ? -ETIMEDOUT : -ECHILD;
  size_t length = (size_t)count * sizeof answers[0];
  ssize_t received = clinux_asker_receive(socket, answers, length);
  return received == (ssize_t)length ? 0 : received == -ETIMEDOUT ? -ETIMEDOUT : -ECHILD;
}

// MARK: - Extended attributes

/// Reads an extended attribute of `path` itself; returns its size or `-errno`.
static inline ssize_t clinux_attribute(const char *path, const char *name, void *buffer,
                                       size_t size) {
  ssize_t count = lgetxattr(path, name, buffer, size);
  return count < 0 ? -errno : count;
}

// MARK: - Access control lists of open objects

/// Opens a name in a directory with O_PATH, without following a link; returns a descriptor or
/// `-errno`.
///
/// glibc declares O_PATH only with _GNU_SOURCE.
static inline int clinux_pin(int directory, const char *name, bool is_directory) {
  int flags = O_NOFOLLOW | O_CLOEXEC | 010000000 /* O_PATH */;
  int descriptor = openat(directory, name, is_directory ? flags | O_DIRECTORY : flags);
  return descriptor < 0 ? -errno : descriptor;
}

/// The limits of the path resolution in `clinux_pin_path`.
enum clinux_reach {
  CLINUX_INSIDE,         // the directory is the root directory, and links stay in it
  CLINUX_BENEATH,        // no link leads out of the directory
  CLINUX_WITHOUT_LINKS,  // the directory is the root directory, and no link is followed
  CLINUX_WITHOUT_MOUNTS  // the same, and mount points in it are not entered
};

/// Opens a path with O_PATH. Magic links of /proc are not followed.
///
/// Swift has neither openat2(2) nor its structure. Returns a descriptor or `-errno`: `-EXDEV` if
/// the path leads out of the limits, and `-ENOSYS` or `-EPERM` if the system call is not available.
static inline int clinux_pin_path(
    int directory, const char *path, enum clinux_reach reach, bool is_directory) {
  struct open_how how;
  memset(&how, 0, sizeof how);
  how.flags = (uint64_t)(O_CLOEXEC | 010000000 /* O_PATH */ | (is_directory ? O_DIRECTORY : 0));
  how.resolve = RESOLVE_NO_MAGICLINKS;
  how.resolve |= reach == CLINUX_BENEATH ? RESOLVE_BENEATH : RESOLVE_IN_ROOT;
  if (reach == CLINUX_WITHOUT_LINKS || reach == CLINUX_WITHOUT_MOUNTS)
    how.resolve |= RESOLVE_NO_SYMLINKS;
  if (reach == CLINUX_WITHOUT_MOUNTS) how.resolve |= RESOLVE_NO_XDEV;
  // A concurrent rename can interrupt the resolution of "..", which returns EAGAIN.
  for (int attempt = 0; attempt < 8; attempt++) {
    long descriptor = syscall(SYS_openat2, directory, path, &how, sizeof how);
    if (descriptor >= 0) return (int)descriptor;
    if (errno != EAGAIN && errno != EINTR) break;
  }
  return -errno;
}

/// Opens a path with O_PATH and follows all links; returns a descriptor or `-errno`.
///
/// glibc declares O_PATH only with _GNU_SOURCE.
static inline int clinux_pin_followed(const char *path) {
  int descriptor = open(path, O_CLOEXEC | 010000000 /* O_PATH */);
  return descriptor < 0 ? -errno : descriptor;
}

/// Returns whether a descriptor refers to an object of procfs, where opening and reading can have
/// side effects.
static inline bool clinux_is_of_proc(int descriptor) {
  struct statfs filesystem;
  return fstatfs(descriptor, &filesystem) != 0 || filesystem.f_type == 0x9fa0 /* PROC_SUPER_MAGIC */;
}

/// Returns the path below /proc that leads to the object of a descriptor.
///
/// The result is 0 or `-errno`: `-ENOSYS` if /proc is not procfs, and `-ESTALE` if the path leads
/// to a different object.
static inline int clinux_held_path(int descriptor, char *path, size_t size) {
  struct statfs filesystem;
  struct stat held, found;
  if (statfs("/proc/self/fd", &filesystem) != 0) return -ENOSYS;
  if (filesystem.f_type != 0x9fa0 /* PROC_SUPER_MAGIC */) return -ENOSYS;
  const char *start = "/proc/self/fd/";
  char digits[12];
  size_t count = 0;
  for (int rest = descriptor; count == 0 || rest > 0; rest /= 10)
    digits[count++] = (char)('0' + rest % 10);
  size_t length = strlen(start);
  if (descriptor < 0 || length + count + 1 > size) return -EBADF;
  memcpy(path, start, length);
  for (size_t index = 0; index < count; index++) path[length + index] = digits[count - 1 - index];
  path[length + count] = 0;
  if (fstat(descriptor, &held) != 0 || stat(path, &found) != 0) return -errno;
  return held.st_dev == found.st_dev && held.st_ino == found.st_ino ? 0 : -ESTALE;
}

/// Reads the access control list of a descriptor's object; returns its size or `-errno`.
static inline ssize_t clinux_held_list(int descriptor, void *buffer, size_t size) {
  char path[40];
  int failure = clinux_held_path(descriptor, path, sizeof path);
  if (failure != 0) return failure;
  ssize_t count = getxattr(path, "system.posix_acl_access", buffer, size);
  return count < 0 ? -errno : count;
}

/// Writes the access control list of a descriptor's object; returns 0 or `-errno`.
static inline int clinux_set_held_list(int descriptor, const void *list, size_t size) {
  char path[40];
  int failure = clinux_held_path(descriptor, path, sizeof path);
  if (failure != 0) return failure;
  return setxattr(path, "system.posix_acl_access", list, size, 0) == 0 ? 0 : -errno;
}

/// A handle that identifies an inode even if it is moved, and is not reused for another inode.
///
/// The layout is that of `struct file_handle`, which glibc declares only with _GNU_SOURCE. The size
/// of the bytes is MAX_HANDLE_SZ.
struct clinux_handle {
  unsigned int count;
  int type;
  unsigned char bytes[128];
};

/// Returns the handle of a descriptor's object. The result is 0 or `-errno`: `-EOPNOTSUPP` if the
/// filesystem does not support handles.
static inline int clinux_name(int descriptor, struct clinux_handle *handle) {
  int mount;
  handle->count = sizeof handle->bytes;
  return syscall(SYS_name_to_handle_at, descriptor, "", handle, &mount, 0x1000 /* AT_EMPTY_PATH */) ==
                 0
             ? 0
             : -errno;
}

/// Opens a handle in the filesystem of a directory with O_PATH.
///
/// It requires CAP_DAC_READ_SEARCH. Returns a descriptor or `-errno`: `-ESTALE` if the inode no
/// longer exists.
static inline int clinux_pin_named(int directory, struct clinux_handle *handle) {
  // This system call does not accept an O_PATH descriptor for the directory.
  int mount = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (mount < 0) return -errno;
  int descriptor = (int)syscall(
      SYS_open_by_handle_at, mount, handle, O_NOFOLLOW | O_CLOEXEC | 010000000 /* O_PATH */);
  int result = descriptor < 0 ? -errno : descriptor;
  close(mount);
  return result;
}

/// Opens the object of a descriptor again for reading or writing.
///
/// Opening does not block, and a terminal does not become the controlling terminal. Returns the new
/// descriptor or `-errno`: `-ESTALE` if a different object was opened.
static inline int clinux_open_held(int descriptor, int access) {
  char path[40];
  struct stat held, found;
  int failure = clinux_held_path(descriptor, path, sizeof path);
  if (failure != 0) return failure;
  int opened = open(path, access | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (opened < 0) return -errno;
  if (fstat(descriptor, &held) == 0 && fstat(opened, &found) == 0 &&
      held.st_dev == found.st_dev && held.st_ino == found.st_ino &&
      held.st_rdev == found.st_rdev && (held.st_mode & S_IFMT) == (found.st_mode & S_IFMT))
    return opened;
  close(opened);
  return -ESTALE;
}

/// Returns whether the object of a descriptor is in memory (tmpfs, devtmpfs), so a reboot removes
/// it.
static inline bool clinux_is_in_memory(int descriptor) {
  struct statfs filesystem;
  return fstatfs(descriptor, &filesystem) == 0 &&
         (filesystem.f_type == 0x01021994 /* TMPFS_MAGIC */ ||
          filesystem.f_type == (__fsword_t)0x858458f6 /* RAMFS_MAGIC */);
}

/// Returns the seconds since boot, including suspend, from a clock that cannot be set.
static inline int64_t clinux_uptime(void) {
  // struct timespec contains seconds and nanoseconds.
  long now[2] = {0, 0};
  return syscall(SYS_clock_gettime, 7 /* CLOCK_BOOTTIME */, now) == 0 ? now[0] : -1;
}

// MARK: - prctl(2)

/// Returns the secure bits or `-errno`. Swift cannot call prctl(2), which is variadic.
static inline int clinux_securebits(void) {
  int bits = prctl(PR_GET_SECUREBITS, 0, 0, 0, 0);
  return bits < 0 ? -errno : bits;
}

/// Returns whether no_new_privs is set, or `-errno`. Swift cannot call prctl(2), which is variadic.
static inline int clinux_no_new_privileges(void) {
  int value = prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0);
  return value < 0 ? -errno : value;
}

// MARK: - Credentials

// glibc declares these functions only with _GNU_SOURCE.
extern int getresuid(uid_t *real, uid_t *effective, uid_t *saved);
extern int getresgid(gid_t *real, gid_t *effective, gid_t *saved);

/// Returns the capabilities of the calling thread. If the call is refused, the values do not
/// change.
///
/// Swift has no capget(2), and libcap would allocate a copy of these three numbers.
static inline void clinux_capabilities(uint64_t *effective, uint64_t *permitted,
                                       uint64_t *inheritable) {
  struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  struct __user_cap_data_struct data[2];
  if (syscall(SYS_capget, &header, data) != 0) return;
  *effective = (uint64_t)data[1].effective << 32 | data[0].effective;
  *permitted = (uint64_t)data[1].permitted << 32 | data[0].permitted;
  *inheritable = (uint64_t)data[1].inheritable << 32 | data[0].inheritable;
}

// MARK: - bpf(2)

/// Counts the device programs that apply to a version 2 cgroup, including those of its parents
/// (`BPF_PROG_QUERY`, `BPF_CGROUP_DEVICE`).
///
/// Swift cannot call bpf(2), which has no wrapper. Returns `-EPERM` without CAP_BPF or
/// CAP_NET_ADMIN.
static inline int clinux_device_programs(const char *group) {
  // The start of union bpf_attr for this command, whose members have other names in older headers.
  struct {
    uint32_t target, attach_type, query_flags, attach_flags;
    uint64_t programs;
    uint32_t count, padding;
  } query;
  int descriptor = open(group, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return -errno;
  memset(&query, 0, sizeof query);
  query.target = (uint32_t)descriptor;
  query.attach_type = 6;  // BPF_CGROUP_DEVICE
  query.query_flags = 1;  // BPF_F_QUERY_EFFECTIVE
  long result = syscall(SYS_bpf, 16 /* BPF_PROG_QUERY */, &query, sizeof query);
  int failure = result < 0 ? -errno : 0;
  close(descriptor);
  return failure < 0 ? failure : (int)query.count;
}

// MARK: - Device numbers

/// Swift cannot import the macros major(3) and minor(3).
static inline uint32_t clinux_major(dev_t device) { return major(device); }
static inline uint32_t clinux_minor(dev_t device) { return minor(device); }

// MARK: - Open files of processes

/// Fills `buffer` with directory entries (`struct linux_dirent64`). Returns the number of bytes, 0
/// at the end, or `-errno`.
///
/// Swift cannot call getdents64(2), which glibc declares only with _GNU_SOURCE. readdir(3) would
/// allocate memory for each of many small directories.
static inline ssize_t clinux_entries(int directory, void *buffer, size_t size) {
  long count = syscall(SYS_getdents64, directory, buffer, size);
  return count < 0 ? -errno : count;
}

/// The status of an open file of a process.
struct clinux_file {
  uint32_t mode;
  uint32_t rdev_major;
  uint32_t rdev_minor;
  uint32_t dev_major;
  uint32_t dev_minor;
  uint64_t inode;
  uint32_t links;
  uint32_t owner;
};

/// Follows a link of procfs and reads the status of the file.
///
/// Swift cannot call statx(2), which glibc declares only with _GNU_SOURCE. The kernel is told not
/// to contact a network filesystem, which may not answer, and not to trigger an automount.
static inline int clinux_follow(int directory, const char *name, struct clinux_file *out) {
  struct statx buffer;
  if (statx(directory, name, 0x4000 /* AT_STATX_DONT_SYNC */ | 0x800 /* AT_NO_AUTOMOUNT */,
            STATX_TYPE | STATX_MODE | STATX_UID | STATX_INO | STATX_NLINK, &buffer) == 0) {
    out->mode = buffer.stx_mode;
    out->rdev_major = buffer.stx_rdev_major;
    out->rdev_minor = buffer.stx_rdev_minor;
    out->dev_major = buffer.stx_dev_major;
    out->dev_minor = buffer.stx_dev_minor;
    out->inode = buffer.stx_ino;
    out->links = buffer.stx_nlink;
    out->owner = buffer.stx_uid;
    return 0;
  }
  if (errno != ENOSYS && errno != EPERM) return -errno;
  struct stat status;
  if (fstatat(directory, name, &status, 0x800 /* AT_NO_AUTOMOUNT */) != 0) return -errno;
  out->mode = status.st_mode;
  out->rdev_major = major(status.st_rdev);
  out->rdev_minor = minor(status.st_rdev);
  out->dev_major = major(status.st_dev);
  out->dev_minor = minor(status.st_dev);
  out->inode = status.st_ino;
  out->links = (uint32_t)status.st_nlink;
  out->owner = status.st_uid;
  return 0;
}

/// Follows the link whose name is the number of a descriptor.
static inline int clinux_follow_number(int directory, unsigned number, struct clinux_file *out) {
  char name[12];
  char *digit = name + sizeof name - 1;
  *digit = 0;
  do *--digit = (char)('0' + number % 10);
  while ((number /= 10) > 0);
  return clinux_follow(directory, digit, out);
}

/// A mapping of a file in the memory of a process.
struct clinux_mapping {
  uint64_t start;
  uint64_t end;
  uint64_t inode;
  uint32_t dev_major;
  uint32_t dev_minor;
  bool is_shared;
};

/// Finds the file mapping at an address, or the next one, in an open `/proc/PID/maps`
/// (`PROCMAP_QUERY`, Linux 6.11).
///
/// With `only_shared`, other mappings are skipped. If `path` is not null, the path of the file is
/// copied as well. Swift cannot call ioctl(2), which is variadic, and older headers lack the
/// structure. Returns 0, `-ENOENT` if there is no further mapping, `-ENOTTY` if the kernel does not
/// support the request, or another `-errno`.
static inline int clinux_next_mapping(int maps, uint64_t address, bool only_shared,
                                      struct clinux_mapping *out, char *path, uint32_t size) {
  struct {
    uint64_t size, flags, address;
    uint64_t start, end, mapping_flags, page_size, offset, inode;
    uint32_t dev_major, dev_minor, name_size, build_id_size;
    uint64_t name, build_id;
  } query;
  memset(&query, 0, sizeof query);
  query.size = sizeof query;
  query.flags = 0x10 | 0x20;  // PROCMAP_QUERY_COVERING_OR_NEXT_VMA, PROCMAP_QUERY_FILE_BACKED_VMA
  if (only_shared) query.flags |= 0x8;  // PROCMAP_QUERY_VMA_SHARED
  query.address = address;
  query.name = (uint64_t)(uintptr_t)path;
  query.name_size = size;
  if (ioctl(maps, _IOWR('f', 17, query), &query) < 0) return -errno;
  out->start = query.start;
  out->end = query.end;
  out->inode = query.inode;
  out->dev_major = query.dev_major;
  out->dev_minor = query.dev_minor;
  out->is_shared = query.mapping_flags & 0x8;  // PROCMAP_QUERY_VMA_SHARED
  return 0;
}

/// Continues from a mapping to the next one of another file; most libraries have five adjacent
/// mappings.
///
/// The results are those of `clinux_next_mapping`.
static inline int clinux_next_other_mapping(int maps, bool only_shared,
                                            struct clinux_mapping *mapping) {
  const struct clinux_mapping last = *mapping;
  int result;
  do result = clinux_next_mapping(maps, mapping->end, only_shared, mapping, NULL, 0);
  while (result == 0 && mapping->inode == last.inode && mapping->dev_major == last.dev_major &&
         mapping->dev_minor == last.dev_minor);
  return result;
}

/// Returns 0 if two threads share their descriptors, a positive number if they do not, or `-errno`.
///
/// Swift cannot call kcmp(2), which has no wrapper.
static inline int clinux_compare_descriptors(int one, int other) {
  long result = syscall(SYS_kcmp, one, other, 2 /* KCMP_FILES */, 0, 0);
  return result < 0 ? -errno : (int)result;
}

/// Returns 0 if two descriptors refer to the same open file description, as after dup(2) or
/// fork(2), a positive number if they do not, or `-errno`.
static inline int clinux_compare_files(int one, int other, unsigned long first, unsigned long second) {
  long result = syscall(SYS_kcmp, one, other, 0 /* KCMP_FILE */, first, second);
  return result < 0 ? -errno : (int)result;
}

// MARK: - Local sockets

/// Connects a stream socket without blocking; returns the descriptor or `-errno`.
///
/// Swift imports the path of a socket address as a tuple of 108 elements.
static inline int clinux_connect(const char *path) {
  struct sockaddr_un address;
  size_t length = strlen(path);
  if (length == 0 || length >= sizeof address.sun_path) return -ENAMETOOLONG;
  memset(&address, 0, sizeof address);
  address.sun_family = AF_UNIX;
  memcpy(address.sun_path, path, length);
  int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (descriptor < 0) return -errno;
  if (connect(descriptor, (struct sockaddr *)&address, sizeof address) == 0) return descriptor;
  int failure = errno;
  close(descriptor);
  return -failure;
}

/// Sends without SIGPIPE if the peer has closed the connection; returns the number of bytes or
/// `-errno`.
///
/// In Swift's Glibc module, the type of MSG_NOSIGNAL depends on the architecture.
static inline ssize_t clinux_send(int descriptor, const void *bytes, size_t size) {
  ssize_t count = send(descriptor, bytes, size, MSG_NOSIGNAL);
  return count < 0 ? -errno : count;
}

// MARK: - Opening

/// The opened object is not a device, or not the expected one.
static const int CLINUX_OTHER_OBJECT = INT_MIN;

/// A request to open a device, and the expected device.
struct clinux_open {
  const char *path;
  int access;              // O_RDONLY, O_WRONLY or O_RDWR
  int capability;          // the capability to raise, or -1 for none
  bool expects_number;     // whether the following device number is known
  bool expects_block;
  uint32_t expected_major;
  uint32_t expected_minor;
  int result;              // the descriptor, `-errno` or CLINUX_OTHER_OBJECT
};

/// Opens without following symbolic links and without blocking. A terminal does not become the
/// controlling terminal.
static inline int clinux_open_descriptor(const struct clinux_open *request) {
  struct open_how how;
  memset(&how, 0, sizeof how);
  how.flags = (uint64_t)(request->access | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW);
  how.resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  long descriptor = syscall(SYS_openat2, AT_FDCWD, request->path, &how, sizeof how);
  return descriptor < 0 ? -errno : (int)descriptor;
}

/// Closes the descriptor if its object is not a device, or not the expected one.
static inline int clinux_verify_device(const struct clinux_open *request, int descriptor) {
  struct stat status;
  if (descriptor < 0) return descriptor;
  bool is_expected = fstat(descriptor, &status) == 0 &&
                     (S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode));
  if (is_expected && request->expects_number)
    is_expected = (bool)S_ISBLK(status.st_mode) == request->expects_block &&
                  major(status.st_rdev) == request->expected_major &&
                  minor(status.st_rdev) == request->expected_minor;
  if (is_expected) return descriptor;
  close(descriptor);
  return CLINUX_OTHER_OBJECT;
}

/// Opens with the current credentials of the calling thread.
static inline int clinux_open_plain(const struct clinux_open *request) {
  return clinux_verify_device(request, clinux_open_descriptor(request));
}

/// Opens the parent directory of an absolute path, and copies the last component.
///
/// Symbolic links are not followed. The path is already resolved, and the owner of a directory in
/// it could replace a component with a link. Returns a descriptor or `-errno`.
static inline int clinux_open_parent(const char *path, char name[NAME_MAX + 1]) {
  int directory = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC | __O_PATH);
  if (directory < 0) return -errno;
  for (;;) {
    while (*path == '/') path++;
    size_t length = strcspn(path, "/");
    if (length > NAME_MAX) break;
    memcpy(name, path, length);
    name[length] = 0;
    path += length;
    if (*path == 0) return directory;
    int next = openat(directory, name,
                      O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC | __O_PATH);
    int failure = errno;
    close(directory);
    if (next < 0) return -failure;
    directory = next;
  }
  close(directory);
  return -ENAMETOOLONG;
}

/// Opens with openat(2), which open(3) of the C library calls, instead of the newer openat2(2),
/// because a seccomp filter may treat the two system calls differently.
///
/// Only the expected device is opened, and no link. Returns the descriptor, `-errno` or
/// CLINUX_OTHER_OBJECT.
static inline int clinux_open_as_programs_do(const struct clinux_open *request) {
  char name[NAME_MAX + 1];
  int directory = clinux_open_parent(request->path, name);
  if (directory < 0) return directory;
  int descriptor =
      openat(directory, name, request->access | O_NONBLOCK | O_CLOEXEC | O_NOCTTY | O_NOFOLLOW);
  int failure = errno;
  close(directory);
  return descriptor < 0 ? -failure : clinux_verify_device(request, descriptor);
}

/// The function that the thread of `clinux_open_raised` runs.
static inline void *clinux_open_raised_body(void *context) {
  struct clinux_open *request = (struct clinux_open *)context;
  struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  struct __user_cap_data_struct data[2];
  memset(data, 0, sizeof data);

  if (syscall(SYS_capget, &header, data) != 0) {
    request->result = -errno;
    return NULL;
  }
  uint32_t word = (uint32_t)request->capability / 32u;
  uint32_t bit = 1u << ((uint32_t)request->capability % 32u);
  data[0].effective = 0;
  data[1].effective = 0;
  data[word].effective = bit;
  if (syscall(SYS_capset, &header, data) != 0) {
    request->result = -errno;
    return NULL;
  }
  int descriptor = clinux_open_descriptor(request);
  data[0].effective = 0;
  data[1].effective = 0;
  // A thread that cannot drop the capability must not continue.
  if (syscall(SYS_capset, &header, data) != 0) abort();
  request->result = clinux_verify_device(request, descriptor);
  return NULL;
}

/// Opens a device with one raised capability.
///
/// Swift cannot guarantee that no code of its runtime runs between two statements, so raising,
/// opening and dropping are one C function. It runs on a new thread with all signals blocked, and
/// waits for it. The thread raises exactly one capability, makes one system call and drops the
/// capability. Its credentials end with it, and no other thread of the process ever has the
/// capability.
static inline int clinux_open_raised(struct clinux_open *request) {
  if (request->capability < 0 || request->capability > 63) return -EINVAL;
  sigset_t all, before;
  sigfillset(&all);
  // The new thread inherits the mask, so no signal handler can ever run in it.
  int failure = pthread_sigmask(SIG_SETMASK, &all, &before);
  if (failure != 0) return -failure;
  pthread_t thread;
  request->result = -EAGAIN;
  failure = pthread_create(&thread, NULL, clinux_open_raised_body, request);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (failure != 0) return -failure;
  failure = pthread_join(thread, NULL);
  if (failure != 0) return -failure;
  return request->result;
}

/// Blocks all signals in the calling thread, except those of its own faults.
static inline void clinux_block_signals(sigset_t *before) {
  const int faults[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP};
  sigset_t others;
  sigfillset(&others);
  for (size_t index = 0; index < sizeof faults / sizeof *faults; index++)
    sigdelset(&others, faults[index]);
  pthread_sigmask(SIG_SETMASK, &others, before);
}

/// Starts a detached thread with the credentials of the calling one; returns 0 or `-errno`.
///
/// The thread blocks signals from its first instruction on. Otherwise, if other threads later block
/// a signal to read it, a thread that has not started yet, or is slow to end, could receive the
/// signal and terminate the process.
static inline int clinux_start_thread(void *(*body)(void *), void *context) {
  pthread_attr_t attributes;
  int failure = pthread_attr_init(&attributes);
  if (failure != 0) return -failure;
  pthread_t thread;
  failure = pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  sigset_t before;
  clinux_block_signals(&before);
  if (failure == 0) failure = pthread_create(&thread, &attributes, body, context);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&attributes);
  return -failure;
}

// MARK: - Waiting for descriptors

// sys/epoll.h and sys/timerfd.h would make `struct timespec` a part of this module, but other
// modules import it from Glibc. The system calls are therefore made without these headers.

static const uint32_t CLINUX_READABLE = 0x001;  // EPOLLIN
static const uint32_t CLINUX_URGENT = 0x002;    // EPOLLPRI
static const uint32_t CLINUX_WRITABLE = 0x004;  // EPOLLOUT
static const uint32_t CLINUX_HUNG_UP = 0x010;   // EPOLLHUP

/// The layout of `struct epoll_event`, whose union Swift cannot import.
struct clinux_ready {
  uint32_t events;
  uint64_t id;  // the number that was passed with the descriptor
}
#ifdef __x86_64__
__attribute__((packed))
#endif
;

/// Creates an epoll instance; returns a descriptor or `-errno`.
static inline int clinux_poll_create(void) {
  long poll = syscall(SYS_epoll_create1, O_CLOEXEC);
  return poll < 0 ? -errno : (int)poll;
}

static inline int clinux_poll_add(int poll, int descriptor, uint32_t events, uint64_t id) {
  struct clinux_ready event;
  memset(&event, 0, sizeof event);
  event.events = events;
  event.id = id;
  return syscall(SYS_epoll_ctl, poll, 1 /* EPOLL_CTL_ADD */, descriptor, &event) < 0 ? -errno : 0;
}

static inline void clinux_poll_remove(int poll, int descriptor) {
  struct clinux_ready event;
  memset(&event, 0, sizeof event);
  syscall(SYS_epoll_ctl, poll, 2 /* EPOLL_CTL_DEL */, descriptor, &event);
}

/// Waits without a timeout; returns the number of ready descriptors or `-errno`.
static inline int clinux_poll_wait(int poll, struct clinux_ready *out, int count) {
  long ready = syscall(SYS_epoll_pwait, poll, out, count, -1, NULL, 8);
  return ready < 0 ? -errno : (int)ready;
}

/// Prepares the calling thread to wait for events only.
///
/// It blocks signals, except those of its own faults, because the program's handlers and
/// signalfd(2) descriptors expect them on other threads.
static inline void clinux_become_event_thread(const char *name) {
  clinux_block_signals(NULL);
  prctl(PR_SET_NAME, name, 0, 0, 0);
}

/// Blocks signals and makes them readable from a descriptor instead.
///
/// Threads that start later inherit the block; running threads are not affected. Returns the
/// descriptor or `-errno`.
static inline int clinux_take_signals(const int *numbers, size_t count) {
  sigset_t signals;
  sigemptyset(&signals);
  for (size_t index = 0; index < count; index++) {
    // A blocked signal is reported even if its action is to ignore it, so do not block it.
    struct sigaction action;
    int is_ignored =
        sigaction(numbers[index], NULL, &action) == 0 && action.sa_handler == SIG_IGN;
    if (!is_ignored) sigaddset(&signals, numbers[index]);
  }
  sigset_t before;
  int failure = pthread_sigmask(SIG_BLOCK, &signals, &before);
  if (failure != 0) return -failure;
  long descriptor =
      syscall(SYS_signalfd4, -1, &signals, (size_t)(_NSIG / 8), O_CLOEXEC | O_NONBLOCK);
  if (descriptor >= 0) return (int)descriptor;
  failure = errno;
  // Nothing would read the signals, so restore their previous effect.
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return -failure;
}

/// Returns a descriptor that is readable while one of the signals is pending, or `-errno`. It does
/// not block the signals.
static inline int clinux_see_signals(const int *numbers, size_t count) {
  sigset_t signals;
  sigemptyset(&signals);
  for (size_t index = 0; index < count; index++) sigaddset(&signals, numbers[index]);
  long descriptor =
      syscall(SYS_signalfd4, -1, &signals, (size_t)(_NSIG / 8), O_CLOEXEC | O_NONBLOCK);
  return descriptor >= 0 ? (int)descriptor : -errno;
}

/// Unblocks signals, including pending ones, which then have their previous effect.
static inline void clinux_give_signals_back(const int *numbers, size_t count) {
  sigset_t signals;
  sigemptyset(&signals);
  for (size_t index = 0; index < count; index++) sigaddset(&signals, numbers[index]);
  pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
}

/// Returns the number of the next pending signal or `-errno`: `-EAGAIN` if there is none.
static inline int clinux_next_signal(int descriptor) {
  // struct signalfd_siginfo starts with the number of the signal.
  uint32_t information[32];
  ssize_t count = read(descriptor, information, sizeof information);
  return count < 0 ? -errno : count == sizeof information ? (int)information[0] : -EIO;
}

/// Returns a descriptor that is readable when a process has ended, or `-errno`.
static inline int clinux_process(int process) {
  long descriptor = syscall(SYS_pidfd_open, process, 0);
  return descriptor < 0 ? -errno : (int)descriptor;
}

/// Returns a descriptor of a timer, or `-errno`. Each time the timer is set, it becomes readable
/// once.
static inline int clinux_alarm(void) {
  long descriptor = syscall(SYS_timerfd_create, 7 /* CLOCK_BOOTTIME */, O_CLOEXEC | O_NONBLOCK);
  return descriptor < 0 ? -errno : (int)descriptor;
}

static inline void clinux_set_alarm(int descriptor, int milliseconds) {
  long times[4] = {0, 0, milliseconds / 1000, milliseconds % 1000 * 1000000L};
  syscall(SYS_timerfd_settime, descriptor, 0, times, NULL);
}

// MARK: - Trust

/// Returns whether execve(2) gave the program more privileges than its caller has (`AT_SECURE`), by
/// a set-user-ID bit, a set-group-ID bit or file capabilities.
///
/// Swift's Glibc module does not include sys/auxv.h.
static inline bool clinux_is_raised(void) { return getauxval(AT_SECURE) != 0; }

// MARK: - Commands

/// Returns a descriptor of a file in memory that contains a text, or `-errno`.
static inline int clinux_text_file(const char *text, size_t length) {
  long file = syscall(SYS_memfd_create, "text", 1 /* MFD_CLOEXEC */);
  if (file < 0) return -errno;
  size_t written = 0;
  while (written < length) {
    ssize_t count = write((int)file, text + written, length - written);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      int failure = errno;
      close((int)file);
      return -failure;
    }
    written += (size_t)count;
  }
  lseek((int)file, 0, SEEK_SET);
  return (int)file;
}

/// Starts a program with the given standard descriptors and environment; `output` 1 and `errors` 2
/// keep those of this process.
///
/// The program gets the signal settings of a shell: no signal is blocked or ignored, even if this
/// process blocks or ignores it. Returns the process ID or `-errno`.
static inline int clinux_start_program(const char *path, char *const *arguments,
                                       char *const *environment, int input, int output,
                                       int errors) {
  // No handler of this process may run in the child.
  sigset_t all, before, none;
  sigfillset(&all);
  sigemptyset(&none);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t child = fork();
  if (child == 0) {
    struct sigaction standard;
    memset(&standard, 0, sizeof standard);
    standard.sa_handler = SIG_DFL;
    for (int number = 1; number < _NSIG; number++) sigaction(number, &standard, NULL);
    if (dup2(input, 0) < 0) _exit(127);
    if (output != 1 && dup2(output, 1) < 0) close(1);
    if (errors != 2 && dup2(errors, 2) < 0) close(2);
    pthread_sigmask(SIG_SETMASK, &none, NULL);
    execve(path, arguments, environment);
    _exit(127);
  }
  int failure = child < 0 ? -errno : 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return failure != 0 ? failure : child;
}

// glibc declares this function only with _GNU_SOURCE.
extern int execvpe(const char *file, char *const *arguments, char *const *environment);

/// Replaces this process with another program, which inherits one additional descriptor.
///
/// The program gets the signal settings of a shell: no signal is blocked, and SIGPIPE and SIGXFSZ,
/// which this process ignores, have their default action. Returns only on failure, with `-errno`.
static inline int clinux_become_program(char *const *arguments, char *const *environment,
                                        int descriptor) {
  sigset_t none, before;
  sigemptyset(&none);
  if (descriptor >= 0 && fcntl(descriptor, F_SETFD, 0) < 0) return -errno;
  void (*pipe)(int) = signal(SIGPIPE, SIG_DFL);
  void (*limit)(int) = signal(SIGXFSZ, SIG_DFL);
  pthread_sigmask(SIG_SETMASK, &none, &before);
  execvpe(arguments[0], arguments, environment);
  int failure = errno;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (pipe != SIG_ERR) signal(SIGPIPE, pipe);
  if (limit != SIG_ERR) signal(SIGXFSZ, limit);
  if (descriptor >= 0) fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  return -failure;
}

// MARK: - Suspend

/// Returns a descriptor that becomes readable when the real-time clock jumps, or `-errno`.
///
/// The clock jumps if it is set, and when the system resumes. The timer itself never expires.
static inline int clinux_clock_jumps(void) {
  long descriptor = syscall(SYS_timerfd_create, 0 /* CLOCK_REALTIME */, O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return -errno;
  // struct itimerspec: no interval, and a time that is never reached.
  long never[4] = {0, 0, sizeof(long) > 4 ? 1L << 40 : INT32_MAX, 0};
  if (syscall(SYS_timerfd_settime, descriptor,
              1 /* TFD_TIMER_ABSTIME */ | 2 /* TFD_TIMER_CANCEL_ON_SET */, never, NULL) < 0) {
    int failure = errno;
    close((int)descriptor);
    return -failure;
  }
  return (int)descriptor;
}

/// Returns the number of milliseconds that the system has been suspended since boot.
static inline int64_t clinux_slept(void) {
  // struct timespec contains seconds and nanoseconds.
  long with[2], without[2];
  if (syscall(SYS_clock_gettime, 1 /* CLOCK_MONOTONIC */, without) < 0 ||
      syscall(SYS_clock_gettime, 7 /* CLOCK_BOOTTIME */, with) < 0)
    return 0;
  return (int64_t)(with[0] - without[0]) * 1000 + (with[1] - without[1]) / 1000000;
}

/// Returns a descriptor of a timer that becomes readable after each interval, or `-errno`.
///
/// The timer stops while the system is suspended.
static inline int clinux_timer(long seconds, long nanoseconds) {
  long descriptor = syscall(SYS_timerfd_create, 1 /* CLOCK_MONOTONIC */, O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return -errno;
  long times[4] = {seconds, nanoseconds, seconds, nanoseconds};
  if (syscall(SYS_timerfd_settime, descriptor, 0, times, NULL) < 0) {
    int failure = errno;
    close((int)descriptor);
    return -failure;
  }
  return (int)descriptor;
}

// MARK: - New files of the album

/// Creates an unnamed file in a directory, open for writing; returns a descriptor or `-errno`.
///
/// Swift cannot use O_TMPFILE, which glibc defines only with _GNU_SOURCE.
static inline int clinux_unnamed_file(int directory, mode_t mode) {
  int file = openat(directory, ".", O_WRONLY | __O_TMPFILE | O_DIRECTORY | O_CLOEXEC, mode);
  return file < 0 ? -errno : file;
}

/// The flags to open a directory only for use in other calls.
///
/// Swift cannot use O_PATH, which glibc defines only with _GNU_SOURCE.
static const int clinux_named_directory = __O_PATH | O_DIRECTORY | O_CLOEXEC;

/// Gives an unnamed file its first name, and does not replace an existing file.
///
/// Swift cannot use AT_EMPTY_PATH, which glibc defines only with _GNU_SOURCE. Before Linux 6.10,
/// linking the descriptor itself requires CAP_DAC_READ_SEARCH. Linking its path in /proc requires
/// only /proc.
static inline int clinux_name_file(int file, int directory, const char *name) {
  if (linkat(file, "", directory, name, 0x1000) == 0) return 0;
  if (errno == EEXIST) return -EEXIST;
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  return linkat(AT_FDCWD, link, directory, name, AT_SYMLINK_FOLLOW) == 0 ? 0 : -errno;
}

/// Renames a file within a directory, and does not replace an existing file.
///
/// Swift cannot call renameat2(2), which glibc declares only with _GNU_SOURCE.
static inline int clinux_rename_new(int directory, const char *from, const char *to) {
  return syscall(SYS_renameat2, directory, from, directory, to, 1 /* RENAME_NOREPLACE */) == 0
             ? 0
             : -errno;
}

/// Returns the number of IDs of security modules that were written, or `-errno`.
///
/// Swift cannot call lsm_list_modules(2): glibc has no wrapper, and older headers lack its number.
/// The error is ENOSYS before Linux 6.8. It is EPERM if a seccomp filter is active, because the
/// filter may kill the process for an unknown system call (SystemCallFilter= in systemd.exec(5)).
static inline int clinux_security_modules(uint64_t *numbers, uint32_t room) {
  if (prctl(PR_GET_SECCOMP, 0, 0, 0, 0) != 0) return -EPERM;
#ifdef SYS_lsm_list_modules
  const long call = SYS_lsm_list_modules;
#elif defined(__alpha__)
  const long call = 571;
#else
  const long call = 461;
#endif
  uint32_t size = room * sizeof *numbers;
  long count = syscall(call, numbers, &size, 0);
  return count < 0 ? -errno : (int)count;
}

#define CLINUX_PROGRAM_NAME 16  // BPF_OBJ_NAME_LEN

/// Writes the names of loaded programs of the type BPF_PROG_TYPE_LSM. Returns the number of names,
/// or `-errno`.
///
/// Each name has CLINUX_PROGRAM_NAME bytes and ends with NUL. At most `room` names are written,
/// from the first 4096 programs. Swift cannot call bpf(2), for which glibc has no wrapper. The
/// error is EPERM without CAP_SYS_ADMIN, or if a seccomp filter is active, which may kill the
/// process for this call.
static inline int clinux_security_programs(char *names, uint32_t room) {
  if (prctl(PR_GET_SECCOMP, 0, 0, 0, 0) != 0) return -EPERM;
  uint32_t count = 0, id = 0;
  for (int looked = 0; looked < 4096 && count < room; looked++) {
    union bpf_attr attr;
    memset(&attr, 0, sizeof attr);
    attr.start_id = id;
    if (syscall(SYS_bpf, BPF_PROG_GET_NEXT_ID, &attr, sizeof attr) != 0) {
      if (errno == ENOENT) break;
      return -errno;
    }
    id = attr.next_id;
    memset(&attr, 0, sizeof attr);
    attr.prog_id = id;
    int program = (int)syscall(SYS_bpf, BPF_PROG_GET_FD_BY_ID, &attr, sizeof attr);
    if (program < 0) {
      // The program was unloaded between the two calls.
      if (errno == ENOENT) continue;
      return -errno;
    }
    struct bpf_prog_info info;
    memset(&info, 0, sizeof info);
    memset(&attr, 0, sizeof attr);
    attr.info.bpf_fd = (uint32_t)program;
    attr.info.info_len = sizeof info;
    attr.info.info = (uint64_t)(uintptr_t)&info;
    long result = syscall(SYS_bpf, BPF_OBJ_GET_INFO_BY_FD, &attr, sizeof attr);
    int error = errno;
    close(program);
    if (result != 0) return -error;
    if (info.type != BPF_PROG_TYPE_LSM) continue;
    char *name = names + (size_t)count * CLINUX_PROGRAM_NAME;
    memset(name, 0, CLINUX_PROGRAM_NAME);
    memcpy(name, info.name, CLINUX_PROGRAM_NAME - 1);
    count++;
  }
  return (int)count;
}

/// Writes without SIGXFSZ, which accompanies EFBIG and would terminate the process.
///
/// The kernel sends the signal to the writing thread. Returns the number of bytes written, or
/// `-errno`.
static inline ssize_t clinux_write_limited(int file, const void *bytes, size_t count) {
  sigset_t limit, before;
  sigemptyset(&limit);
  sigaddset(&limit, SIGXFSZ);
  pthread_sigmask(SIG_BLOCK, &limit, &before);
  ssize_t written = write(file, bytes, count);
  int error = errno;
  if (written < 0 && error == EFBIG && sigismember(&before, SIGXFSZ) == 0) {
    struct timespec now = {0, 0};
    sigtimedwait(&limit, NULL, &now);
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return written < 0 ? -error : written;
}

/// Calls syncfs(2); returns 0 or `-errno`.
///
/// Swift cannot call syncfs(2) itself, because glibc declares it only with _GNU_SOURCE.
static inline int clinux_sync_filesystem(int file) {
  return syscall(SYS_syncfs, file) == 0 ? 0 : -errno;
}
