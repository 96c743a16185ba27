// The asking side.

#include "oracle_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

struct kernel_oracle {
  struct oracle_shared *shared;
  int socket;
  pid_t server;
};

static int read_start(const char *path, char *text, size_t size) {
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return -1;
  ssize_t got = read(fd, text, size - 1);
  close(fd);
  if (got < 0) return -1;
  text[got] = 0;
  return 0;
}

static int refuse(char *reason, const char *text) {
  snprintf(reason, KERNEL_ORACLE_TEXT, "%s", text);
  return -1;
}

/// Checks what the server needs before anything is started.
static int check(char *reason) {
  static const struct {
    int number;
    const char *name;
  } needed[] = {
    {CAP_CHOWN, "CAP_CHOWN"}, {CAP_DAC_OVERRIDE, "CAP_DAC_OVERRIDE"},
    {CAP_DAC_READ_SEARCH, "CAP_DAC_READ_SEARCH"}, {CAP_FOWNER, "CAP_FOWNER"},
    {CAP_FSETID, "CAP_FSETID"}, {CAP_SETGID, "CAP_SETGID"}, {CAP_SETUID, "CAP_SETUID"},
    {CAP_SETPCAP, "CAP_SETPCAP"}, {CAP_LINUX_IMMUTABLE, "CAP_LINUX_IMMUTABLE"},
    {CAP_SYS_CHROOT, "CAP_SYS_CHROOT"}, {CAP_SYS_ADMIN, "CAP_SYS_ADMIN"},
    {CAP_MKNOD, "CAP_MKNOD"}, {CAP_SETFCAP, "CAP_SETFCAP"},
  };
  if (geteuid() != 0) return refuse(reason, "not root: children need other credentials");
  struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  struct __user_cap_data_struct data[2];
  if (syscall(SYS_capget, &header, data)) return refuse(reason, "capabilities are unreadable");
  for (size_t index = 0; index < sizeof needed / sizeof needed[0]; index++) {
    int number = needed[index].number;
    if (!(data[number / 32].effective & (1u << (number % 32)))) {
      snprintf(reason, KERNEL_ORACLE_TEXT, "root without %s", needed[index].name);
      return -1;
    }
  }
  char text[64];
  unsigned inside, outside, length;
  if (read_start("/proc/self/uid_map", text, sizeof text)
      || sscanf(text, "%u %u %u", &inside, &outside, &length) != 3
      || inside != 0 || outside != 0 || length != 4294967295u) {
    return refuse(reason, "not in the initial user namespace");
  }
  if (read_start("/sys/fs/selinux/enforce", text, sizeof text) == 0 && text[0] == '1') {
    return refuse(reason, "SELinux is enforcing, which the decision does not model");
  }
  return 0;
}

/// Becomes the server. Nothing of the asking process is used any more but memory.
static _Noreturn void become_server(struct oracle_shared *shared, int socket) {
  static struct oracle_server server;
  for (int number = 1; number < 32; number++) signal(number, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  // Another oracle's socket, kept open here, would hide from its server that the asker is gone.
  if (dup2(socket, 3) != 3) _exit(1);
  syscall(SYS_close_range, 4u, ~0u, 0u);
  fcntl(3, F_SETFD, FD_CLOEXEC);
  server.shared = shared;
  server.socket = 3;
  oracle_serve(&server);
}

struct kernel_oracle *kernel_oracle_start(char *reason) {
  if (check(reason)) return NULL;
  struct kernel_oracle *oracle = calloc(1, sizeof *oracle);
  int sockets[2];
  if (oracle == NULL || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets)) {
    free(oracle);
    refuse(reason, "no memory or no descriptors");
    return NULL;
  }
  oracle->shared = mmap(NULL, sizeof *oracle->shared, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pid_t server = -1;
  if (oracle->shared != MAP_FAILED) {
    server = (pid_t)syscall(SYS_clone, CLONE_NEWPID | SIGCHLD, NULL, NULL, NULL, 0);
    if (server == 0) become_server(oracle->shared, sockets[1]);
  }
  close(sockets[1]);
  oracle->socket = sockets[0];
  oracle->server = server;
  if (server < 0) {
    refuse(reason, "cannot make a PID namespace");
    kernel_oracle_stop(oracle);
    return NULL;
  }
  int32_t word;
  ssize_t got;
  do {
    got = recv(oracle->socket, &word, sizeof word, 0);
  } while (got < 0 && errno == EINTR);
  if (got != sizeof word || oracle->shared->ready != 1) {
    refuse(reason, oracle->shared->failed ? oracle->shared->reason : "the server did not start");
    kernel_oracle_stop(oracle);
    return NULL;
  }
  return oracle;
}

int kernel_oracle_has_device_cgroup(const struct kernel_oracle *oracle) {
  return oracle->shared->has_device_cgroup;
}

int kernel_oracle_protected_symlinks(const struct kernel_oracle *oracle) {
  return oracle->shared->protected_symlinks;
}

int kernel_oracle_protected_regular(const struct kernel_oracle *oracle) {
  return oracle->shared->protected_regular;
}

int kernel_oracle_protected_fifos(const struct kernel_oracle *oracle) {
  return oracle->shared->protected_fifos;
}

const char *kernel_oracle_output(const struct kernel_oracle *oracle) {
  return oracle->shared->output;
}

int kernel_oracle_ask(struct kernel_oracle *oracle, const uint8_t *message, size_t length,
                      int32_t *answers, size_t count, int timeout, char *reason) {
  struct oracle_shared *shared = oracle->shared;
  if (length > KERNEL_ORACLE_MESSAGE || count > KERNEL_ORACLE_ANSWERS) {
    return refuse(reason, "the question is too long");
  }
  memcpy(shared->message, message, length);
  shared->length = (uint32_t)length;
  shared->answered = 0;
  shared->failed = 0;
  int32_t word = timeout;
  if (send(oracle->socket, &word, sizeof word, MSG_NOSIGNAL) != sizeof word) {
    return refuse(reason, "the server is gone");
  }
  ssize_t got;
  do {
    got = recv(oracle->socket, &word, sizeof word, 0);
  } while (got < 0 && errno == EINTR);
  if (got != sizeof word) return refuse(reason, "the server is gone");
  if (shared->failed) return refuse(reason, shared->reason);
  if (shared->answered != count) return refuse(reason, "answers are missing");
  memcpy(answers, shared->answers, count * sizeof *answers);
  return 0;
}

void kernel_oracle_stop(struct kernel_oracle *oracle) {
  if (oracle == NULL) return;
  close(oracle->socket);
  if (oracle->server > 0) {
    while (waitpid(oracle->server, NULL, 0) < 0 && errno == EINTR) {}
  }
  if (oracle->shared != MAP_FAILED) munmap(oracle->shared, sizeof *oracle->shared);
  free(oracle);
}
