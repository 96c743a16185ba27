// Runs a program on a system that lacks something.
//
//   broken-system [OPTION…] -- PROGRAM [ARGUMENT…]
//
//   --files N          RLIMIT_NOFILE
//   --processes N      RLIMIT_NPROC, which does not hold for root: see --user
//   --memory MIB       RLIMIT_AS
//   --user ID          the user and the group to become, without other groups or capabilities
//   --refuse CALL=NAME the system call fails with ENOSYS, EPERM, ENOMEM or EAGAIN
//   --hide PATH        an empty, read-only tmpfs in place of a directory
//   --detach PATH      takes the mount at PATH away
//   --chroot PATH      the root directory
//   --close N          closes a descriptor
//   --seconds N        how long the program may take (30)
//
// The options take effect in this order, whatever theirs is: mounts, root, user, limits, filter,
// descriptors. Mounts are changed in a namespace of the program's own, for which a user namespace
// is made where the caller is not root.
//
// Exit status: that of the program, 128 and the signal that ended it, 124 when it took too long,
// 125 when the system could not be broken; standard error then says why.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
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
    {"signalfd4", SYS_signalfd4},
};

static const struct {
  const char *name;
  int number;
} errors[] = {{"ENOSYS", ENOSYS}, {"EPERM", EPERM}, {"ENOMEM", ENOMEM}, {"EAGAIN", EAGAIN}};

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

// Classic BPF: the architecture, then each number in turn.
static void refuse(const struct refusal *refusals, size_t count) {
  struct sock_filter code[4 + 2 * MOST];
  size_t length = 0;
  code[length++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                                                offsetof(struct seccomp_data, nr));
  for (size_t i = 0; i < count; i++) {
    code[length++] =
        (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)refusals[i].call, 0, 1);
    code[length++] = (struct sock_filter)BPF_STMT(
        BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (uint32_t)refusals[i].error);
  }
  code[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  struct sock_fprog program = {(unsigned short)length, code};
  check(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs");
  check(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program), "no filter can be set");
}

int main(int count, char **arguments) {
  const char *hidden[MOST], *detached[MOST], *root = NULL;
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
    else if (strcmp(name, "--hide") == 0) hidden[hidden_count++] = value;
    else if (strcmp(name, "--detach") == 0) detached[detached_count++] = value;
    else if (strcmp(name, "--refuse") == 0) refusals[refusal_count++] = refusal(value);
    else if (strcmp(name, "--close") == 0) closed[closed_count++] = atoi(value);
    else {
      errno = EINVAL;
      fail(name);
    }
  }
  errno = EINVAL;
  if (index + 1 >= count) fail("no program");

  if (hidden_count + detached_count > 0) separate_mounts();
  pid_t child = fork();
  check(child, "fork");
  if (child == 0) {
    for (size_t i = 0; i < hidden_count; i++)
      check(mount("none", hidden[i], "tmpfs", MS_RDONLY, "mode=755"), hidden[i]);
    for (size_t i = 0; i < detached_count; i++)
      check(umount2(detached[i], MNT_DETACH), detached[i]);
    if (root != NULL) check(chroot(root), root);
    if (root != NULL) check(chdir("/"), root);
    if (user >= 0) {
      check(setgroups(0, NULL), "setgroups");
      check(setresgid((gid_t)user, (gid_t)user, (gid_t)user), "setresgid");
      check(setresuid((uid_t)user, (uid_t)user, (uid_t)user), "setresuid");
    }
    if (memory >= 0) limit(RLIMIT_AS, (rlim_t)memory << 20, "RLIMIT_AS");
    if (processes >= 0) limit(RLIMIT_NPROC, (rlim_t)processes, "RLIMIT_NPROC");
    if (files >= 0) {
      // What another test had open when this program was started would count too.
      check(close_range(3, ~0U, 0), "close_range");
      limit(RLIMIT_NOFILE, (rlim_t)files, "RLIMIT_NOFILE");
    }
    if (refusal_count > 0) refuse(refusals, refusal_count);
    for (size_t i = 0; i < closed_count; i++) close(closed[i]);
    execvp(arguments[index + 1], arguments + index + 1);
    fail(arguments[index + 1]);
  }

  // The child cannot leave this process group unnoticed: it starts no processes that stay.
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGCHLD);
  sigprocmask(SIG_BLOCK, &set, NULL);
  struct timespec patience = {seconds, 0};
  int status;
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (sigtimedwait(&set, NULL, &patience) < 0 && errno == EAGAIN) {
      kill(child, SIGKILL);
      waitpid(child, &status, 0);
      fprintf(stderr, "broken-system: the program took more than %ld seconds\n", seconds);
      return TOO_LONG;
    }
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
