internal import AccessModel

/// What v4l2loopback tells everybody of one of its virtual cameras; nothing is opened for it.
enum LoopbackState {
  /// Whether a camera gets pictures: its `state`, or before version 0.13 its `format`, which is empty
  /// until a program has begun to feed it and is kept for as long as anybody has it open.
  ///
  /// - Parameter path: The path of a device in sysfs.
  /// - Returns: `nil` for any other device.
  static func isFed(at path: String) -> Bool? {
    guard path.contains("/devices/virtual/") else { return nil }
    do throws(Errno) {
      return switch try BoundedFile.line("\(path)/state", limit: 64) {
      case "capture": true
      case "output": false
      default: nil
      }
    } catch {
      guard error == .noSuchFile,
        let format = try? BoundedFile.read("\(path)/format", limit: 64)
      else { return nil }
      return !format.bytes.isEmpty
    }
  }
}
