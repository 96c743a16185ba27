// Holds a device open until its standard input ends.
//
//   device-holder NAME WAY PATH
//
// NAME is the command name that it takes, so that a test finds it. WAY is one of
//   read, write, both   a descriptor, opened for that
//   path                a descriptor that only names the node (O_PATH)
//   map                 a mapping, whose descriptor is closed
//   thread              a descriptor of one thread, which shares none with the others
//   headless            a descriptor of a process whose first thread has ended
//   headless-map        a mapping of such a process, whose descriptor is closed
//   namespace           a descriptor of a child in a PID and a mount namespace of its own
//   inherited           a descriptor that a child has as well, which goes on for 20 s
//   churn               a descriptor, while lower ones are opened and closed without a pause
//   user                a descriptor for both, of a process that has become user 65534
//
// Exit status: 125 when it could not; standard error then says why.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

static const char *name, *way, *path;

static void fail(const char *what) {
  fprintf(stderr, "device-holder: %s: %s\n", what, strerror(errno));
  _exit(125);
}

static void check(int result, const char *what) {
  if (result < 0) fail(what);
}

static int is(const char *word) { return strcmp(way, word) == 0; }

static void wait_for_end(void) {
  // Only now can the test find it.
  check(prctl(PR_SET_NAME, name), "PR_SET_NAME");
  char byte;
  while (read(0, &byte, 1) > 0) {
  }
  _exit(0);
}

static void churn(int low) {
  close(low);
  check(prctl(PR_SET_NAME, name), "PR_SET_NAME");
  check(fcntl(0, F_SETFL, O_NONBLOCK), "O_NONBLOCK");
  char byte;
  for (unsigned round = 1; round % 1024 != 0 || read(0, &byte, 1) != 0; round++) {
    close(open("/dev/null", O_RDONLY | O_CLOEXEC));
  }
  _exit(0);
}

static void *wait_in_thread(void *context) {
  (void)context;
  char byte;
  while (read(0, &byte, 1) > 0) {
  }
  _exit(0);
}

static void *hold_in_thread(void *context) {
  check(unshare(CLONE_FILES), "unshare");
  check(open(path, O_RDWR), path);
  // The name of a process is that of its first thread.
  FILE *comm = fopen("/proc/self/comm", "w");
  if (comm == NULL || fputs(name, comm) < 0 || fclose(comm) != 0) fail("comm");
  return wait_in_thread(context);
}

int main(int count, char **arguments) {
  if (count != 4) {
    errno = EINVAL;
    fail("device-holder NAME WAY PATH");
  }
  name = arguments[1];
  way = arguments[2];
  path = arguments[3];
  if (is("thread")) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, hold_in_thread, NULL) != 0) fail("pthread_create");
    pthread_join(thread, NULL);
  }
  if (is("namespace")) {
    check(unshare(CLONE_NEWPID | CLONE_NEWNS), "unshare");
    int child = fork();
    check(child, "fork");
    if (child != 0) {
      char byte;
      while (read(0, &byte, 1) > 0) {
      }
      _exit(0);
    }
  }
  int low = is("churn") ? open("/dev/null", O_RDONLY | O_CLOEXEC) : -1;
  int flags = is("read") ? O_RDONLY : is("write") ? O_WRONLY : is("path") ? O_PATH : O_RDWR;
  int file = open(path, flags | O_CLOEXEC);
  check(file, path);
  if (is("churn")) churn(low);
  if (is("inherited")) {
    int child = fork();
    check(child, "fork");
    if (child == 0) {
      // Nobody is to wait for what it could write.
      close(1);
      close(2);
      sleep(20);
      _exit(0);
    }
  }
  if (is("map") || is("headless-map")) {
    if (mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, file, 0) == MAP_FAILED) fail("mmap");
    close(file);
  }
  if (is("user")) {
    check(setgroups(0, NULL), "setgroups");
    check(setgid(65534), "setgid");
    check(setuid(65534), "setuid");
  }
  if (is("headless") || is("headless-map")) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, wait_in_thread, NULL) != 0) fail("pthread_create");
    check(prctl(PR_SET_NAME, name), "PR_SET_NAME");
    pthread_exit(NULL);
  }
  wait_for_end();
}
