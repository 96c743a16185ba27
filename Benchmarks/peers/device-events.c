// Usage: device-events [look]
//
// The peer of a store that knows of cameras: waits for events of video devices from the udev daemon, and
// prints for each the nanoseconds of CLOCK_MONOTONIC when libudev has handed it over; with `look`, when
// another thread has looked the device up and has asked the kernel for access, as a look that may block
// must not keep the next event waiting. Nothing that looks can be much sooner than that.
#define _GNU_SOURCE
#include <fcntl.h>
#include <libudev.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static char place[PATH_MAX];
static sem_t told;

static void tell(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  /* Not at once: who reads it would take a processor from those who are still busy. */
  usleep(8000);
  printf("%lld\n", now.tv_sec * 1000000000LL + now.tv_nsec);
}

static void *look(void *context) {
  struct udev *udev = udev_new();
  while (udev && sem_wait(&told) == 0) {
    struct udev_device *device = udev_device_new_from_syspath(udev, place);
    const char *node = device ? udev_device_get_devnode(device) : NULL;
    // As it would decide: what the daemon knows of it, and what the kernel says.
    const char *roles = device ? udev_device_get_property_value(device, "ID_V4L_CAPABILITIES") : NULL;
    if (roles && strstr(roles, ":capture:") && node)
      (void)faccessat(AT_FDCWD, node, R_OK | W_OK, AT_EACCESS);
    tell();
    udev_device_unref(device);
  }
  return context;
}

int main(int count, char **arguments) {
  int looks = count > 1 && strcmp(arguments[1], "look") == 0;
  struct udev *udev = udev_new();
  struct udev_monitor *monitor = udev ? udev_monitor_new_from_netlink(udev, "udev") : NULL;
  pthread_t thread;
  if (!monitor ||
      udev_monitor_filter_add_match_subsystem_devtype(monitor, "video4linux", NULL) < 0 ||
      udev_monitor_enable_receiving(monitor) < 0) {
    fputs("device-events: no events can be received\n", stderr);
    return 1;
  }
  if (looks && (sem_init(&told, 0, 0) != 0 || pthread_create(&thread, NULL, look, NULL) != 0)) {
    fputs("device-events: no thread can be started\n", stderr);
    return 1;
  }
  setvbuf(stdout, NULL, _IOLBF, 0);
  puts("ready");
  struct pollfd wait = {udev_monitor_get_fd(monitor), POLLIN, 0};
  while (poll(&wait, 1, -1) > 0) {
    struct udev_device *device = udev_monitor_receive_device(monitor);
    if (!device) continue;
    if (looks) {
      // The events are far apart: the thread is done with the one before.
      snprintf(place, sizeof place, "%s", udev_device_get_syspath(device));
      sem_post(&told);
    } else {
      tell();
    }
    udev_device_unref(device);
  }
  return 0;
}
