// Usage: device-events
//
// The peer of a store that knows of cameras: waits for events of video devices from the udev daemon, and
// prints for each the nanoseconds of CLOCK_MONOTONIC when libudev has handed it over.
#include <libudev.h>
#include <poll.h>
#include <stdio.h>
#include <time.h>

int main(void) {
  struct udev *udev = udev_new();
  struct udev_monitor *monitor = udev ? udev_monitor_new_from_netlink(udev, "udev") : NULL;
  if (!monitor ||
      udev_monitor_filter_add_match_subsystem_devtype(monitor, "video4linux", NULL) < 0 ||
      udev_monitor_enable_receiving(monitor) < 0) {
    fputs("device-events: no events can be received\n", stderr);
    return 1;
  }
  setvbuf(stdout, NULL, _IOLBF, 0);
  puts("ready");
  struct pollfd wait = {udev_monitor_get_fd(monitor), POLLIN, 0};
  while (poll(&wait, 1, -1) > 0) {
    struct udev_device *device = udev_monitor_receive_device(monitor);
    if (!device) continue;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    printf("%lld\n", now.tv_sec * 1000000000LL + now.tv_nsec);
    udev_device_unref(device);
  }
  return 0;
}
