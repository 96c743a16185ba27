import Glibc

/// Why there is no picture.
enum CameraError: Error, Equatable, CustomStringConvertible {
  /// The driver refused a call of V4L2, with this error number.
  case refused(String, Int32)
  /// The node is not a camera that streams.
  case notACamera
  /// The camera has no format that this program can read.
  case unknownFormat
  /// No picture came in time.
  case timedOut
  /// What came is not a picture.
  case notAPicture(String)

  /// The error as one line.
  var description: String {
    switch self {
    case .refused(let call, EBUSY): "the camera is busy (\(call))"
    case .refused(let call, ENODEV): "the camera is gone (\(call))"
    case .refused(let call, let number):
      "the camera refuses \(call): \(unsafe String(cString: strerror(number)))"
    case .notACamera: "the device is not a camera that streams"
    case .unknownFormat: "the camera gives neither YUYV nor RGB nor MJPEG"
    case .timedOut: "the camera gives no picture"
    case .notAPicture(let reason): "what the camera gives is not a picture: \(reason)"
    }
  }
}
