// Commands: the machine's own tools become part of the tree, and run in it as a shell would run
// them, between two rounds of questions.

#include "oracle_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const tools[] = {"usr", "bin", "sbin", "lib", "lib64"};

/// Binds the machine's tools into the base, where workers find them; without them no command runs.
void oracle_open_tools(struct oracle_server *server) {
  char from[64], to[64];
  server->has_tools = mkdir("host", 0755) == 0;
  for (size_t index = 0; index < sizeof tools / sizeof tools[0] && server->has_tools; index++) {
    snprintf(from, sizeof from, "/%s", tools[index]);
    snprintf(to, sizeof to, "host/%s", tools[index]);
    if (access(from, F_OK)) continue;
    if (mkdir(to, 0755) || mount(from, to, NULL, MS_BIND, NULL)) server->has_tools = 0;
  }
}

static int write_text(const char *path, const char *text, mode_t mode) {
  int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
  if (fd < 0) return -1;
  size_t length = strlen(text);
  ssize_t written = write(fd, text, length);
  fchmod(fd, mode);
  close(fd);
  return written == (ssize_t)length ? 0 : -1;
}

int oracle_mount_tools(const struct oracle_server *server, struct oracle_cursor *cursor) {
  static const struct {
    const char *path;
    mode_t mode;
  } files[] = {{"/root/etc/passwd", 0644}, {"/root/etc/group", 0644},
               {"/root/etc/shadow", 0640}, {"/root/etc/gshadow", 0640}};
  struct oracle_shared *shared = server->shared;
  char from[64], to[64];
  if (!server->has_tools) return oracle_fail(shared, "cannot bind", "the machine's tools");
  for (size_t index = 0; index < sizeof tools / sizeof tools[0]; index++) {
    snprintf(from, sizeof from, "/host/%s", tools[index]);
    snprintf(to, sizeof to, "/root/%s", tools[index]);
    if (access(from, F_OK)) continue;
    if (mount(from, to, NULL, MS_BIND, NULL)) return oracle_fail(shared, "cannot bind", to);
  }
  if (mount("/proc", "/root/proc", NULL, MS_BIND, NULL)
      || mount("accounts", "/root/etc", "tmpfs", 0, "mode=0755")) {
    return oracle_fail(shared, "cannot mount", "/etc");
  }
  for (size_t index = 0; index < sizeof files / sizeof files[0]; index++) {
    const char *text = oracle_take_text(cursor);
    if (write_text(files[index].path, text, files[index].mode)) {
      return oracle_fail(shared, "cannot write", files[index].path);
    }
  }
  return write_text("/root/etc/login.defs", "UID_MAX 4294967294\nGID_MAX 4294967294\n", 0644)
    || write_text("/root/etc/nsswitch.conf", "passwd: files\ngroup: files\n", 0644)
    ? oracle_fail(shared, "cannot write", "/etc") : 0;
}

struct command {
  uint32_t uid, gid, group_count;
  uint32_t groups[ORACLE_GROUPS];
  const char *text;
  int output;
};

/// Becomes the shell of root or of a user, with the credentials that a login gives.
static int become_shell(void *argument) {
  static char *const environment[] = {
    "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C", "HOME=/", NULL};
  const struct command *command = argument;
  char *const arguments[] = {"bash", "-c", (char *)command->text, NULL};
  if (dup2(command->output, 1) < 0 || dup2(command->output, 2) < 0) return 126;
  syscall(SYS_close_range, 3u, ~0u, 0u);
  syscall(SYS_umask, 022);
  syscall(SYS_setfsuid, 0);
  syscall(SYS_setfsgid, 0);
  if (syscall(SYS_prctl, PR_SET_SECUREBITS, 0, 0, 0, 0) || syscall(SYS_chdir, "/")
      || syscall(SYS_setgroups, (size_t)command->group_count, command->groups)
      || syscall(SYS_setresgid, command->gid, command->gid, command->gid)
      || syscall(SYS_setresuid, command->uid, command->uid, command->uid)) {
    return 126;
  }
  execve("/usr/bin/bash", arguments, environment);
  return 127;
}

/// Starts a child that shares memory until it is a shell, and waits for it.
static int run(struct command *command, char *output, size_t size) {
  static char stack[65536] __attribute__((aligned(16)));
  int ends[2], status = 0;
  if (pipe2(ends, O_CLOEXEC)) return -1;
  command->output = ends[1];
  pid_t child = clone(become_shell, stack + sizeof stack, CLONE_VM | CLONE_VFORK | SIGCHLD,
                      command);
  close(ends[1]);
  size_t used = strlen(output);
  char bytes[512];
  ssize_t got;
  while ((got = read(ends[0], bytes, sizeof bytes)) > 0) {
    for (ssize_t next = 0; next < got && used + 1 < size; next++) output[used++] = bytes[next];
  }
  output[used] = 0;
  close(ends[0]);
  if (child < 0 || waitpid(child, &status, 0) != child) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int oracle_run_commands(const struct oracle_server *server, struct oracle_cursor *cursor) {
  static struct command command;
  struct oracle_shared *shared = server->shared;
  uint32_t count = oracle_take_count(cursor, 64);
  shared->output[0] = 0;
  for (uint32_t index = 0; index < count; index++) {
    command.uid = oracle_take(cursor);
    command.gid = oracle_take(cursor);
    command.group_count = oracle_take_count(cursor, ORACLE_GROUPS);
    for (uint32_t group = 0; group < command.group_count; group++) {
      command.groups[group] = oracle_take(cursor);
    }
    command.text = oracle_take_text(cursor);
    if (cursor->broken || shared->answered >= KERNEL_ORACLE_ANSWERS) {
      return oracle_fail(shared, "broken message", "command");
    }
    int status = run(&command, shared->output, sizeof shared->output);
    if (status < 0) return oracle_fail(shared, "cannot run", command.text);
    shared->answers[shared->answered++] = status;
  }
  return 0;
}

int oracle_take_login(const char *name, uint32_t gid, uint32_t *groups, uint32_t *count) {
  static char text[1 << 18];
  int fd = open("/etc/group", O_RDONLY | O_CLOEXEC);
  ssize_t got = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
  if (fd >= 0) close(fd);
  if (got < 0) return -1;
  text[got] = 0;
  *count = 1;
  groups[0] = gid;
  char *rest = text, *line;
  while ((line = strsep(&rest, "\n")) != NULL) {
    strsep(&line, ":");
    if (line == NULL) continue;
    strsep(&line, ":");
    const char *number = line == NULL ? NULL : strsep(&line, ":"), *member;
    while (line != NULL && (member = strsep(&line, ",")) != NULL) {
      uint32_t id = (uint32_t)strtoul(number, NULL, 10);
      if (strcmp(member, name) == 0 && id != gid && *count < ORACLE_GROUPS) {
        groups[(*count)++] = id;
      }
    }
  }
  return 0;
}
