import CCamera
import DevicePermissions
import Glibc

/// A camera that streams into memory which it shares with this program.
///
/// The camera stops when this goes.
struct VideoStream: ~Copyable {
  /// How long to wait for a picture.
  private static let patience = Duration.seconds(10)
  /// How many pictures are let pass, because a camera first has to find the right exposure.
  private static let passed = 4

  private let device: DeviceDescriptor
  private let buffers: [VideoBuffer]
  /// How the pictures come.
  let format: VideoFormat

  /// Prepares an open camera: its format, and memory for its pictures.
  ///
  /// - Throws: ``CameraError``.
  init(_ device: consuming DeviceDescriptor) throws(CameraError) {
    var answer = v4l2_capability()
    do {
      try Self.control(device, "VIDIOC_QUERYCAP", ccamera_capabilities, &answer)
    } catch {
      if error == .refused("VIDIOC_QUERYCAP", ENOTTY) { throw .notACamera }
      throw error
    }
    // A device has several nodes, and the capabilities of this one apart.
    let ofDevice = UInt32(bitPattern: Int32(truncatingIfNeeded: V4L2_CAP_DEVICE_CAPS))
    let has = answer.capabilities & ofDevice != 0 ? answer.device_caps : answer.capabilities
    let needs = UInt32(V4L2_CAP_VIDEO_CAPTURE) | UInt32(V4L2_CAP_STREAMING)
    guard has & needs == needs else { throw .notACamera }
    let format = try Self.chooseFormat(of: device)
    buffers = try Self.share(device)
    self.format = format
    self.device = device
  }

  deinit {
    var type = V4L2_BUF_TYPE_VIDEO_CAPTURE
    _ = unsafe ccamera_control(device.rawValue, ccamera_stop, &type)
    for buffer in buffers { buffer.unmap() }
  }

  /// Takes a picture.
  ///
  /// - Throws: ``CameraError``, or `CancellationError`.
  func picture() async throws -> Picture {
    for index in buffers.indices { try queue(index) }
    var type = V4L2_BUF_TYPE_VIDEO_CAPTURE
    try Self.control(device, "VIDIOC_STREAMON", ccamera_start, &type)
    let deadline = ContinuousClock.now + Self.patience
    var left = Self.passed
    var damage: CameraError?
    while ContinuousClock.now < deadline {
      try Task.checkCancellation()
      guard let frame = try dequeue() else { continue }
      // A frame that the driver calls damaged is not counted.
      if let bytes = frame.bytes {
        do throws(CameraError) {
          if left == 0 { return try format.picture(bytes) }
          left -= 1
        } catch {
          // The next one may be whole.
          damage = error
        }
      }
      try queue(frame.index)
    }
    throw damage ?? .timedOut
  }

  // MARK: Frames

  /// Gives the driver a buffer to fill.
  private func queue(_ index: Int) throws(CameraError) {
    var buffer = unsafe VideoBuffer.description(of: index)
    try unsafe Self.control(device, "VIDIOC_QBUF", ccamera_queue, &buffer)
  }

  /// Waits a tenth of a second for a frame.
  private func dequeue() throws(CameraError) -> (index: Int, bytes: [UInt8]?)? {
    var ready = pollfd(fd: device.rawValue, events: Int16(POLLIN), revents: 0)
    guard unsafe poll(&ready, 1, 100) > 0 else { return nil }
    var frame = unsafe VideoBuffer.description(of: 0)
    do {
      try unsafe Self.control(device, "VIDIOC_DQBUF", ccamera_dequeue, &frame)
    } catch {
      if error == .refused("VIDIOC_DQBUF", EAGAIN) { return nil }
      throw error
    }
    let index = Int(unsafe frame.index)
    guard buffers.indices.contains(index) else { throw .notAPicture("no buffer \(index)") }
    let isDamaged = unsafe frame.flags & UInt32(V4L2_BUF_FLAG_ERROR) != 0
    return (index, isDamaged ? nil : buffers[index].bytes(count: Int(unsafe frame.bytesused)))
  }

  // MARK: Preparing

  /// Has the driver share memory for some pictures, and maps it.
  private static func share(
    _ device: borrowing DeviceDescriptor
  ) throws(CameraError) -> [VideoBuffer] {
    var request = v4l2_requestbuffers()
    request.count = 4
    request.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    request.memory = V4L2_MEMORY_MMAP.rawValue
    try control(device, "VIDIOC_REQBUFS", ccamera_request_buffers, &request)
    guard request.count > 0 else { throw .refused("VIDIOC_REQBUFS", ENOMEM) }
    var buffers: [VideoBuffer] = []
    do throws(CameraError) {
      for index in 0..<Int(request.count) {
        var buffer = unsafe VideoBuffer.description(of: index)
        try unsafe control(device, "VIDIOC_QUERYBUF", ccamera_query_buffer, &buffer)
        buffers.append(
          try unsafe VideoBuffer(
            mapping: Int(buffer.length), at: Int(buffer.m.offset), of: device.rawValue))
      }
      return buffers
    } catch {
      for buffer in buffers { buffer.unmap() }
      throw error
    }
  }

  /// Asks for the first format that this program can read, in 640 × 480 or what comes close.
  private static func chooseFormat(
    of device: borrowing DeviceDescriptor
  ) throws(CameraError) -> VideoFormat {
    var offered: Set<UInt32> = []
    var entry = v4l2_fmtdesc()
    entry.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    while entry.index < 256,
      unsafe ccamera_control(device.rawValue, ccamera_list_formats, &entry) == 0
    {
      offered.insert(entry.pixelformat)
      entry.index += 1
    }
    for encoding in VideoFormat.Encoding.allCases where offered.contains(encoding.code) {
      var format = unsafe v4l2_format()
      unsafe format.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
      unsafe format.fmt.pix.width = 640
      unsafe format.fmt.pix.height = 480
      unsafe format.fmt.pix.pixelformat = encoding.code
      try unsafe control(device, "VIDIOC_S_FMT", ccamera_set_format, &format)
      let chosen = unsafe format.fmt.pix
      // A driver may choose another one.
      guard chosen.pixelformat == encoding.code else { continue }
      let isFull =
        chosen.quantization == V4L2_QUANTIZATION_FULL_RANGE.rawValue
        || chosen.quantization == V4L2_QUANTIZATION_DEFAULT.rawValue
          && chosen.colorspace == V4L2_COLORSPACE_JPEG.rawValue
      return VideoFormat(
        encoding: encoding, width: Int(chosen.width), height: Int(chosen.height),
        stride: Int(chosen.bytesperline), isFullRange: isFull)
    }
    throw .unknownFormat
  }

  private static func control<Argument>(
    _ device: borrowing DeviceDescriptor, _ name: String, _ request: UInt,
    _ argument: inout Argument
  ) throws(CameraError) {
    let failure = unsafe withUnsafeMutablePointer(to: &argument) { pointer in
      unsafe ccamera_control(device.rawValue, request, pointer)
    }
    if failure != 0 { throw .refused(name, failure) }
  }
}
