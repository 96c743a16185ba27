// Usage: file-events FILE…
//
// The peer of `devaccess watch`: waits for changes of the modes of files, and prints a line for each
// with the mode and what the kernel lets the caller do. It knows nothing of directories, lists,
// mounts, accounts, sessions or devices.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

static int print(const char *path) {
  struct stat status;
  char line[4200];
  if (stat(path, &status) != 0) return 0;
  int refused = faccessat(AT_FDCWD, path, R_OK | W_OK, AT_EACCESS);
  int length = snprintf(line, sizeof line, "%s %o %d\n", path, status.st_mode, refused);
  return write(STDOUT_FILENO, line, (size_t)length) < 0 ? -1 : 0;
}

int main(int count, char **paths) {
  int notifier = inotify_init1(IN_CLOEXEC);
  // The kernel numbers watches from 1, in the order in which they are added.
  for (int number = 1; number < count; number++) {
    if (inotify_add_watch(notifier, paths[number], IN_ATTRIB) != number) {
      perror(paths[number]);
      return 1;
    }
    if (print(paths[number]) != 0) return 1;
  }
  char buffer[4096] __attribute__((aligned(8)));
  while (1) {
    ssize_t size = read(notifier, buffer, sizeof buffer);
    if (size <= 0) return 1;
    for (char *place = buffer; place < buffer + size;) {
      struct inotify_event *event = (struct inotify_event *)place;
      place += sizeof *event + event->len;
      if (event->wd > 0 && event->wd < count && print(paths[event->wd]) != 0) return 1;
    }
  }
}
