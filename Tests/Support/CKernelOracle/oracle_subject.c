// Subjects: a child takes the credentials that the message names and makes the system calls.

#include "oracle_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/securebits.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef SYS_faccessat2
#define SYS_faccessat2 439
#endif

struct subject {
  struct oracle_shared *shared;
  uint32_t ruid, euid, suid, fsuid, rgid, egid, sgid, fsgid;
  uint32_t group_count;
  uint32_t groups[ORACLE_GROUPS];
  uint64_t permitted, effective;
  uint32_t securebits;
  int namespace;                  // -1 for the initial one
  struct oracle_cursor requests;
  uint32_t pending;               // requests without an answer; UINT32_MAX before they are counted
  int created;                    // a descriptor to look at before the next request, or -1
};

// The system calls themselves: the C library would change every thread of the process whose
// memory this child shares.
static int take_ids(const struct subject *subject) {
  if (syscall(SYS_setgroups, (size_t)subject->group_count, subject->groups)) return -1;
  if (syscall(SYS_setresgid, subject->rgid, subject->egid, subject->sgid)) return -1;
  if (syscall(SYS_setresuid, subject->ruid, subject->euid, subject->suid)) return -1;
  syscall(SYS_setfsgid, subject->fsgid);
  syscall(SYS_setfsuid, subject->fsuid);
  errno = EPERM;
  if ((uint32_t)syscall(SYS_setfsgid, -1) != subject->fsgid) return -1;
  if ((uint32_t)syscall(SYS_setfsuid, -1) != subject->fsuid) return -1;
  return 0;
}

static int take_capabilities(const struct subject *subject) {
  struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  struct __user_cap_data_struct data[2];
  for (int half = 0; half < 2; half++) {
    data[half].permitted = (uint32_t)(subject->permitted >> (32 * half));
    data[half].effective = (uint32_t)(subject->effective >> (32 * half));
    data[half].inheritable = 0;
  }
  return (int)syscall(SYS_capset, &header, data);
}

static int take_credentials(const struct subject *subject) {
  // Without this the change of identifiers would drop capabilities before they are chosen.
  if (syscall(SYS_prctl, PR_SET_SECUREBITS, SECBIT_NO_SETUID_FIXUP, 0, 0, 0)) {
    return oracle_fail(subject->shared, "cannot set", "securebits");
  }
  // The initial namespace knows every identifier, the subject's own may not: so first these.
  if (take_ids(subject)) return oracle_fail(subject->shared, "cannot take", "identifiers");
  if (subject->namespace >= 0 && setns(subject->namespace, CLONE_NEWUSER)) {
    return oracle_fail(subject->shared, "cannot enter", "user namespace");
  }
  if (syscall(SYS_prctl, PR_SET_SECUREBITS, (unsigned long)subject->securebits, 0, 0, 0)) {
    return oracle_fail(subject->shared, "cannot set", "the subject's securebits");
  }
  if (take_capabilities(subject)) {
    return oracle_fail(subject->shared, "cannot take", "capabilities");
  }
  // A change of credentials clears this, so it comes last.
  syscall(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  return 0;
}

static int32_t answer(struct subject *subject, uint32_t is_access, uint32_t flags, uint32_t mode,
                      const char *path) {
  if (is_access) {
    return syscall(SYS_faccessat2, AT_FDCWD, path, (int)mode, (int)flags) ? errno : 0;
  }
  // A fifo or a device must not stop the comparison, nor a terminal take it over.
  int fd = (int)syscall(SYS_openat, AT_FDCWD, path, (int)(flags | O_NONBLOCK | O_NOCTTY), 0600);
  if (fd < 0) return errno;
  if (flags & O_CREAT) {
    subject->created = fd;
  } else {
    syscall(SYS_close, fd);
  }
  return 0;
}

static int ask(void *argument) {
  struct subject *subject = argument;
  struct oracle_shared *shared = subject->shared;
  struct oracle_cursor *cursor = &subject->requests;
  if (take_credentials(subject)) return 1;
  if (subject->pending == UINT32_MAX) {
    subject->pending = oracle_take_count(cursor, KERNEL_ORACLE_ANSWERS - shared->answered);
  }
  // What was created has to go before the next request, and the subject may not remove it.
  while (subject->pending > 0 && subject->created < 0) {
    subject->pending--;
    uint32_t is_access = oracle_take(cursor), flags = oracle_take(cursor);
    uint32_t mode = oracle_take(cursor);
    const char *path = oracle_take_text(cursor);
    if (cursor->broken) return 1;
    shared->answers[shared->answered++] = answer(subject, is_access, flags, mode, path);
  }
  return 0;
}

int oracle_run_child(int (*function)(void *), void *argument) {
  static char stack[65536] __attribute__((aligned(16)));
  int status = 0;
  pid_t pid = clone(function, stack + sizeof stack,
                    CLONE_VM | CLONE_VFORK | CLONE_FILES | SIGCHLD, argument);
  if (pid < 0 || waitpid(pid, &status, 0) != pid) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int oracle_run_subjects(const struct oracle_server *server, struct oracle_cursor *cursor,
                        const struct oracle_namespace *namespaces, uint32_t namespace_count) {
  static struct subject subject;
  uint32_t count = oracle_take_count(cursor, KERNEL_ORACLE_ANSWERS);
  for (uint32_t index = 0; index < count; index++) {
    subject.shared = server->shared;
    uint32_t *ids[] = {&subject.ruid, &subject.euid, &subject.suid, &subject.fsuid,
                       &subject.rgid, &subject.egid, &subject.sgid, &subject.fsgid};
    for (int number = 0; number < 8; number++) *ids[number] = oracle_take(cursor);
    subject.group_count = oracle_take_count(cursor, ORACLE_GROUPS);
    for (uint32_t group = 0; group < subject.group_count; group++) {
      subject.groups[group] = oracle_take(cursor);
    }
    const char *login = oracle_take_text(cursor);
    if (login[0] != 0
        && oracle_take_login(login, subject.rgid, subject.groups, &subject.group_count)) {
      return oracle_fail(server->shared, "cannot read", "the tree's /etc/group");
    }
    subject.permitted = oracle_take64(cursor);
    subject.effective = oracle_take64(cursor);
    subject.securebits = oracle_take(cursor);
    uint32_t namespace = oracle_take_count(cursor, namespace_count);
    subject.namespace = namespace == 0 ? -1 : namespaces[namespace - 1].fd;
    subject.requests = *cursor;
    subject.pending = UINT32_MAX;
    subject.created = -1;
    if (cursor->broken) return oracle_fail(server->shared, "broken message", "subject");
    while (subject.pending > 0) {
      if (oracle_run_child(ask, &subject)) {
        return oracle_fail(server->shared, "a subject's child failed", "");
      }
      if (subject.created >= 0 && oracle_remove_created(server, subject.created)) return -1;
      subject.created = -1;
    }
    *cursor = subject.requests;
  }
  return 0;
}
