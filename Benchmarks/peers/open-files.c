// Usage: open-files DEVICE
//
// The least that has to be asked of the kernel to find who has a device open: every descriptor of
// every process, on as many threads as `devaccess users` takes. Prints how many descriptors are of the
// device. It knows nothing of mappings, of threads with descriptors of their own, of names, users or
// units, nor of what it may not see.
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

enum { MOST_PROCESSES = 1 << 22, MOST_THREADS = 4 };

static int processes[MOST_PROCESSES];
static int count;
static dev_t device;
static atomic_int next, found;

/// Looks at one descriptor; returns whether there is one.
static int look(int folder, int number) {
  char name[16];
  struct statx status;
  snprintf(name, sizeof name, "%d", number);
  if (statx(folder, name, AT_STATX_DONT_SYNC, STATX_TYPE, &status) != 0) return 0;
  dev_t number_of_file = makedev(status.stx_rdev_major, status.stx_rdev_minor);
  if (S_ISCHR(status.stx_mode) && number_of_file == device) atomic_fetch_add(&found, 1);
  return 1;
}

static void *work(void *unused) {
  int index;
  while ((index = atomic_fetch_add(&next, 1)) < count) {
    char path[32];
    struct stat status;
    snprintf(path, sizeof path, "/proc/%d/fd", processes[index]);
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) continue;
    // The size is how many are open (Linux 6.2), and most have no gap between them.
    int number = 0;
    if (fstat(folder, &status) == 0)
      while (number < status.st_size && look(folder, number)) number++;
    // The place of a descriptor in the list is its number and two.
    if (number > 0) lseek(folder, number + 2, SEEK_SET);
    DIR *list = fdopendir(folder);
    struct dirent *entry;
    while (list && (entry = readdir(list)))
      if (entry->d_name[0] != '.') look(folder, atoi(entry->d_name));
    if (list) closedir(list);
  }
  return unused;
}

int main(int arguments, char **values) {
  struct stat status;
  if (arguments != 2) {
    fputs("usage: open-files DEVICE\n", stderr);
    return 1;
  }
  if (stat(values[1], &status) != 0) {
    perror(values[1]);
    return 1;
  }
  device = status.st_rdev;
  DIR *list = opendir("/proc");
  struct dirent *entry;
  while (list && (entry = readdir(list)) && count < MOST_PROCESSES)
    if (atoi(entry->d_name) > 0) processes[count++] = atoi(entry->d_name);
  pthread_t threads[MOST_THREADS];
  int started = 0;
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  while (started + 1 < processors && started + 1 < MOST_THREADS &&
         pthread_create(&threads[started], NULL, work, NULL) == 0)
    started++;
  work(NULL);
  while (started > 0) pthread_join(threads[--started], NULL);
  printf("%d\n", found);
  return 0;
}
