#pragma once
#include <errno.h>
#include <linux/videodev2.h>
#include <string.h>
#include <sys/ioctl.h>

/// Swift cannot call ioctl(2), which is variadic, nor import `VIDIOC_QUERYCAP`, a macro over
/// `sizeof`. Returns 0 or `-errno`.
static inline int cvideo4linux_query(int descriptor, struct v4l2_capability *out) {
  memset(out, 0, sizeof *out);
  return ioctl(descriptor, VIDIOC_QUERYCAP, out) == 0 ? 0 : -errno;
}

/// Swift cannot call ioctl(2), which is variadic. Returns 1 when the camera's privacy control
/// (`V4L2_CID_PRIVACY`) is on, 0 when it is off, `-errno` when there is none.
static inline int cvideo4linux_privacy(int descriptor) {
  struct v4l2_control control;
  memset(&control, 0, sizeof control);
  control.id = V4L2_CID_PRIVACY;
  return ioctl(descriptor, VIDIOC_G_CTRL, &control) == 0 ? control.value != 0 : -errno;
}

/// The capabilities of this very node: `device_caps` where the driver fills it in.
static inline unsigned int cvideo4linux_device_capabilities(const struct v4l2_capability *answer) {
  return answer->capabilities & V4L2_CAP_DEVICE_CAPS ? answer->device_caps : answer->capabilities;
}

/// Copies the card name, which need not end in NUL, into `out` of 33 bytes.
static inline void cvideo4linux_card(const struct v4l2_capability *answer, char *out) {
  memcpy(out, answer->card, sizeof answer->card);
  out[sizeof answer->card] = 0;
}
