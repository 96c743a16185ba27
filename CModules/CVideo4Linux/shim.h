#pragma once
#include <errno.h>
#include <linux/videodev2.h>
#include <string.h>
#include <sys/ioctl.h>

/// Queries the capabilities of a device; returns 0 or `-errno`.
///
/// Swift cannot call ioctl(2), which is variadic, and cannot import `VIDIOC_QUERYCAP`, a macro that
/// uses `sizeof`.
static inline int cvideo4linux_query(int descriptor, struct v4l2_capability *out) {
  memset(out, 0, sizeof *out);
  return ioctl(descriptor, VIDIOC_QUERYCAP, out) == 0 ? 0 : -errno;
}

/// Returns 1 if the camera's privacy control (`V4L2_CID_PRIVACY`) is on, 0 if it is off, and
/// `-errno` if the camera has none.
///
/// Swift cannot call ioctl(2), which is variadic.
static inline int cvideo4linux_privacy(int descriptor) {
  struct v4l2_control control;
  memset(&control, 0, sizeof control);
  control.id = V4L2_CID_PRIVACY;
  return ioctl(descriptor, VIDIOC_G_CTRL, &control) == 0 ? control.value != 0 : -errno;
}

/// Returns the capabilities of the node itself: `device_caps` if the driver sets it.
static inline unsigned int cvideo4linux_device_capabilities(const struct v4l2_capability *answer) {
  return answer->capabilities & V4L2_CAP_DEVICE_CAPS ? answer->device_caps : answer->capabilities;
}

/// Copies the card name into `out`, which has 33 bytes, and adds a NUL, which the name may lack.
static inline void cvideo4linux_card(const struct v4l2_capability *answer, char *out) {
  memcpy(out, answer->card, sizeof answer->card);
  out[sizeof answer->card] = 0;
}
