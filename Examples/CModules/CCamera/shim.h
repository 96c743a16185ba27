#pragma once

#include <errno.h>
#include <linux/videodev2.h>
#include <sys/ioctl.h>

/// Swift cannot call ioctl(2), which is variadic. Returns 0 or the error number.
static inline int ccamera_control(int descriptor, unsigned long request, void *_Nonnull argument) {
  while (ioctl(descriptor, request, argument) < 0) {
    if (errno != EINTR) return errno;
  }
  return 0;
}

// Swift cannot import macros over sizeof and other macros.
static const unsigned long ccamera_capabilities = VIDIOC_QUERYCAP;
static const unsigned long ccamera_list_formats = VIDIOC_ENUM_FMT;
static const unsigned long ccamera_set_format = VIDIOC_S_FMT;
static const unsigned long ccamera_request_buffers = VIDIOC_REQBUFS;
static const unsigned long ccamera_query_buffer = VIDIOC_QUERYBUF;
static const unsigned long ccamera_queue = VIDIOC_QBUF;
static const unsigned long ccamera_dequeue = VIDIOC_DQBUF;
static const unsigned long ccamera_start = VIDIOC_STREAMON;
static const unsigned long ccamera_stop = VIDIOC_STREAMOFF;
static const unsigned int ccamera_yuyv = V4L2_PIX_FMT_YUYV;
static const unsigned int ccamera_rgb = V4L2_PIX_FMT_RGB24;
static const unsigned int ccamera_mjpeg = V4L2_PIX_FMT_MJPEG;
