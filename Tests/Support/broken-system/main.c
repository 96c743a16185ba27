// Runs a program on a system that lacks something.
//
//   broken-system [OPTION…] -- PROGRAM [ARGUMENT…]
//
//   --files N          RLIMIT_NOFILE
//   --processes N      RLIMIT_NPROC, which does not hold for root: see --user
//   --memory MIB       RLIMIT_AS
//   --user ID          the user and the group to become, without other groups or capabilities
//   --refuse CALL=NAME the system call fails with ENOSYS, EPERM, ENOMEM, EAGAIN, EIO or EACCES, or
//                      ends the program with SIGSYS
//   --while PATH       and only as long as this file is there
//   --hide PATH        an empty, read-only tmpfs in place of a directory
//   --detach PATH      takes the mount at PATH away
//   --silent PATH      a filesystem in place of a directory that answers nothing
//   --owner UID        whose that filesystem is, which the kernel then shows to that user alone
//   --chroot PATH      the root directory
//   --close N          closes a descriptor
//   --seconds N        how long the program may take (30)
//
// The options take effect in this order, whatever theirs is: mounts, root, user, limits, filter,
// descriptors. Mounts are changed in a namespace of the program's own, for which a user namespace
// is made where the caller is not root.
//
// Exit status: that of the program, 128 and the signal that ended it, 124 when it took too long,
// 125 when the system could not be broken; standard error then says why. TERM and INT are handed on
// to the program, which is killed when this one is.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 16, UNBROKEN = 125, TOO_LONG = 124 };

static void fail(const char *what) {
  fprintf(stderr, "broken-system: %s: %s\n", what, strerror(errno));
  _exit(UNBROKEN);
}

static void check(int result, const char *what) {
  if (result < 0) fail(what);
}

struct refusal {
  long call;
  int error;
};

static const struct {
  const char *name;
  long number;
} calls[] = {
    {"statx", SYS_statx},     {"faccessat2", SYS_faccessat2},
    {"clone", SYS_clone},     {"clone3", SYS_clone3},
    {"openat2", SYS_openat2}, {"lgetxattr", SYS_lgetxattr},
    {"capget", SYS_capget},   {"statfs", SYS_statfs},
    {"epoll_create1", SYS_epoll_create1},   {"epoll_ctl", SYS_epoll_ctl},
    {"eventfd2", SYS_eventfd2},             {"timerfd_create", SYS_timerfd_create},
    {"signalfd4", SYS_signalfd4},           {"getdents64", SYS_getdents64},
    {"epoll_pwait", SYS_epoll_pwait},
    {"readlinkat", SYS_readlinkat},
    {"lsm_list_modules", 461},
// arm64 has only the newer calls, which glibc makes instead.
#ifdef SYS_epoll_wait
    {"epoll_wait", SYS_epoll_wait},
#else
    {"epoll_wait", SYS_epoll_pwait},
#endif
#ifdef SYS_readlink
    {"readlink", SYS_readlink},
#else
    {"readlink", SYS_readlinkat},
#endif
};

static const struct {
  const char *name;
  int number;
} errors[] = {{"ENOSYS", ENOSYS}, {"EPERM", EPERM}, {"ENOMEM", ENOMEM},
              {"EAGAIN", EAGAIN}, {"EIO", EIO},     {"EACCES", EACCES},
              {"SIGSYS", -SIGSYS}};

static struct refusal refusal(const char *text) {
  struct refusal refusal = {-1, 0};
  const char *sign = strchr(text, '=');
  for (size_t i = 0; sign != NULL && i < sizeof calls / sizeof *calls; i++)
    if (strlen(calls[i].name) == (size_t)(sign - text) &&
        strncmp(text, calls[i].name, (size_t)(sign - text)) == 0)
      refusal.call = calls[i].number;
  for (size_t i = 0; sign != NULL && i < sizeof errors / sizeof *errors; i++)
    if (strcmp(sign + 1, errors[i].name) == 0) refusal.error = errors[i].number;
  errno = EINVAL;
  if (refusal.call < 0 || refusal.error == 0) fail(text);
  return refusal;
}

static void limit(int resource, rlim_t value, const char *what) {
  struct rlimit limit = {value, value};
  check(setrlimit(resource, &limit), what);
}

static void write_file(const char *path, const char *text) {
  int file = open(path, O_WRONLY | O_CLOEXEC);
  check(file, path);
  check((int)write(file, text, strlen(text)), path);
  close(file);
}

// A mount namespace, in a user namespace where that is needed.
static void separate_mounts(void) {
  if (geteuid() != 0) {
    char map[64];
    snprintf(map, sizeof map, "0 %u 1\n", (unsigned)geteuid());
    check(unshare(CLONE_NEWUSER), "no user namespace can be made");
    write_file("/proc/self/setgroups", "deny");
    write_file("/proc/self/uid_map", map);
  }
  check(unshare(CLONE_NEWNS), "no mount namespace can be made");
  check(mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL), "the root is not a mount");
}

// A message with room for one descriptor.
struct letter {
  char byte;
  struct iovec vector;
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
  } control;
  struct msghdr message;
};

// Has the message point to its parts, which stay where they are.
static void prepare(struct letter *letter) {
  memset(letter, 0, sizeof *letter);
  letter->vector = (struct iovec){&letter->byte, 1};
  letter->message = (struct msghdr){.msg_iov = &letter->vector, .msg_iovlen = 1,
                                    .msg_control = &letter->control,
                                    .msg_controllen = sizeof letter->control};
}

// Sends a descriptor to whoever has the other end, and closes both.
static void send_descriptor(int socket, int descriptor) {
  struct letter letter;
  prepare(&letter);
  letter.control.header = (struct cmsghdr){CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS};
  memcpy(CMSG_DATA(&letter.control.header), &descriptor, sizeof descriptor);
  check((int)sendmsg(socket, &letter.message, 0), "sendmsg");
  close(socket);
  close(descriptor);
}

// Takes what the other end sends; -1 when it ends without.
static int take_descriptor(int socket) {
  struct letter letter;
  prepare(&letter);
  int descriptor = -1;
  if (recvmsg(socket, &letter.message, MSG_CMSG_CLOEXEC) > 0 && letter.message.msg_controllen > 0)
    memcpy(&descriptor, CMSG_DATA(&letter.control.header), sizeof descriptor);
  close(socket);
  return descriptor;
}

// Mounts a filesystem that a program serves, which is this one: it never reads what it is asked, for as
// long as it runs.
static void mount_silence(const char *path, long owner) {
  char options[128];
  int device = open("/dev/fuse", O_RDWR | O_CLOEXEC);
  check(device, "/dev/fuse");
  snprintf(options, sizeof options, "fd=%d,rootmode=40000,user_id=%u,group_id=%u%s", device,
           owner < 0 ? (unsigned)geteuid() : (unsigned)owner,
           owner < 0 ? (unsigned)getegid() : (unsigned)owner, owner < 0 ? ",allow_other" : "");
  check(mount("silence", path, "fuse", 0, options), path);
}

// Classic BPF: each number in turn. Who has the other end of the socket is asked, where there is one.
static void refuse(const struct refusal *refusals, size_t count, int socket) {
  struct sock_filter code[4 + 2 * MOST];
  size_t length = 0;
  code[length++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                                                offsetof(struct seccomp_data, nr));
  for (size_t i = 0; i < count; i++) {
    uint32_t answer = SECCOMP_RET_USER_NOTIF;
    if (refusals[i].error < 0) answer = SECCOMP_RET_KILL_PROCESS;
    else if (socket < 0) answer = SECCOMP_RET_ERRNO | (uint32_t)refusals[i].error;
    code[length++] =
        (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)refusals[i].call, 0, 1);
    code[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, answer);
  }
  code[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  struct sock_fprog program = {(unsigned short)length, code};
  check(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs");
  unsigned flags = socket < 0 ? 0 : SECCOMP_FILTER_FLAG_NEW_LISTENER;
  int listener = (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
  check(listener, "no filter can be set");
  if (socket >= 0) send_descriptor(socket, listener);
}

// Answers one system call that waits: it fails as long as a file is there.
static void answer(int listener, const struct refusal *refusals, size_t count, const char *path) {
  struct seccomp_notif call = {0};
  // Who called may have been interrupted meanwhile.
  if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &call) < 0) return;
  struct seccomp_notif_resp response = {.id = call.id, .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE};
  if (access(path, F_OK) == 0) {
    response.flags = 0;
    for (size_t i = 0; i < count; i++)
      if (refusals[i].call == call.data.nr) response.error = -refusals[i].error;
  }
  ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &response);
}

// Becomes a user without other groups, and without capabilities from execve(2) on: until then they reach
// the program, which may lie in root's own home (as setpriv(1) does it).
static void become(uid_t user) {
  check(setgroups(0, NULL), "setgroups");
  check(prctl(PR_SET_KEEPCAPS, 1), "PR_SET_KEEPCAPS");
  check(setresgid(user, user, user), "setresgid");
  check(setresuid(user, user, user), "setresuid");
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];
  check((int)syscall(SYS_capget, &header, data), "capget");
  for (size_t i = 0; i < _LINUX_CAPABILITY_U32S_3; i++) data[i].effective = data[i].permitted;
  check((int)syscall(SYS_capset, &header, data), "capset");
}

int main(int count, char **arguments) {
  const char *hidden[MOST], *detached[MOST], *silence = NULL, *root = NULL, *condition = NULL;
  long owner = -1;
  size_t hidden_count = 0, detached_count = 0, refusal_count = 0, closed_count = 0;
  struct refusal refusals[MOST];
  int closed[MOST];
  long files = -1, processes = -1, memory = -1, user = -1, seconds = 30;
  int index = 1;
  for (; index + 1 < count && strcmp(arguments[index], "--") != 0; index += 2) {
    const char *name = arguments[index], *value = arguments[index + 1];
    errno = E2BIG;
    if (hidden_count == MOST || detached_count == MOST || refusal_count == MOST ||
        closed_count == MOST)
      fail(name);
    if (strcmp(name, "--files") == 0) files = atol(value);
    else if (strcmp(name, "--processes") == 0) processes = atol(value);
    else if (strcmp(name, "--memory") == 0) memory = atol(value);
    else if (strcmp(name, "--user") == 0) user = atol(value);
    else if (strcmp(name, "--seconds") == 0) seconds = atol(value);
    else if (strcmp(name, "--chroot") == 0) root = value;
    else if (strcmp(name, "--while") == 0) condition = value;
    else if (strcmp(name, "--hide") == 0) hidden[hidden_count++] = value;
    else if (strcmp(name, "--detach") == 0) detached[detached_count++] = value;
    else if (strcmp(name, "--silent") == 0) silence = value;
    else if (strcmp(name, "--owner") == 0) owner = atol(value);
    else if (strcmp(name, "--refuse") == 0) refusals[refusal_count++] = refusal(value);
    else if (strcmp(name, "--close") == 0) closed[closed_count++] = atoi(value);
    else {
      errno = EINVAL;
      fail(name);
    }
  }
  errno = EINVAL;
  if (index + 1 >= count) fail("no program");

  if (hidden_count + detached_count > 0 || silence != NULL) separate_mounts();
  if (silence != NULL) mount_silence(silence, owner);
  int sockets[2] = {-1, -1};
  if (condition != NULL)
    check(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets), "socketpair");
  pid_t parent = getpid(), child = fork();
  check(child, "fork");
  if (child == 0) {
    for (size_t i = 0; i < hidden_count; i++)
      check(mount("none", hidden[i], "tmpfs", MS_RDONLY, "mode=755"), hidden[i]);
    for (size_t i = 0; i < detached_count; i++)
      check(umount2(detached[i], MNT_DETACH), detached[i]);
    if (root != NULL) check(chroot(root), root);
    if (root != NULL) check(chdir("/"), root);
    if (user >= 0) become((uid_t)user);
    if (memory >= 0) limit(RLIMIT_AS, (rlim_t)memory << 20, "RLIMIT_AS");
    if (processes >= 0) limit(RLIMIT_NPROC, (rlim_t)processes, "RLIMIT_NPROC");
    if (files >= 0) {
      // What another test had open when this program was started would count too.
      check(close_range(3, ~0U, 0), "close_range");
      limit(RLIMIT_NOFILE, (rlim_t)files, "RLIMIT_NOFILE");
    }
    check(prctl(PR_SET_PDEATHSIG, SIGKILL), "PR_SET_PDEATHSIG");
    if (getppid() != parent) _exit(UNBROKEN);
    if (refusal_count > 0) refuse(refusals, refusal_count, sockets[1]);
    for (size_t i = 0; i < closed_count; i++) close(closed[i]);
    execvp(arguments[index + 1], arguments + index + 1);
    fail(arguments[index + 1]);
  }

  int listener = -1;
  if (condition != NULL) {
    close(sockets[1]);
    listener = take_descriptor(sockets[0]);
  }
  // The child cannot leave this process group unnoticed: it starts no processes that stay.
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGCHLD);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGINT);
  sigprocmask(SIG_BLOCK, &set, NULL);
  struct pollfd waiting[] = {{listener, POLLIN, 0}, {signalfd(-1, &set, SFD_CLOEXEC), POLLIN, 0}};
  check(waiting[1].fd, "signalfd");
  time_t end = time(NULL) + seconds;
  int status;
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (time(NULL) >= end) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      fprintf(stderr, "broken-system: the program took more than %ld seconds\n", seconds);
      return TOO_LONG;
    }
    if (poll(waiting, 2, 1000) <= 0) continue;
    if (waiting[0].revents & POLLIN)
      answer(listener, refusals, refusal_count, condition);
    else if (waiting[0].revents != 0)
      waiting[0].fd = -1;
    struct signalfd_siginfo signal;
    if ((waiting[1].revents & POLLIN) &&
        read(waiting[1].fd, &signal, sizeof signal) == sizeof signal &&
        signal.ssi_signo != SIGCHLD)
      kill(child, (int)signal.ssi_signo);
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
