internal import AccessModel

/// The state that v4l2loopback reports in sysfs for a virtual camera, without opening the device.
struct LoopbackState: Equatable {
  /// A Boolean value that indicates whether a program feeds the camera.
  ///
  /// The value is `nil` if the driver reports an unknown state. It comes from the `state`
  /// attribute. Before version 0.13, it comes from `format`, which is empty until a program begins
  /// to feed the camera, and then keeps its value while any program has the camera open.
  var isFed: Bool?
  /// A Boolean value that indicates whether the camera reports that it captures, but was never fed.
  ///
  /// That is possible with the control `keep_format`. Such a camera has no buffers until a program
  /// feeds it.
  var isKept = false
  var version: LoopbackVersion
  /// The maximum number of open files (`max_openers`).
  var mostOpenFiles: Int?

  /// Reads the state of a device; returns `nil` if the device is not a v4l2loopback camera.
  ///
  /// - Parameter path: The path of the device in sysfs.
  init?(at path: String) {
    // A camera is at `/sys/devices/virtual/video4linux/videoN`. Checking the path avoids reading
    // the attributes of other devices.
    let folder = AbsolutePath.parent(of: AbsolutePath.parent(of: path))
    guard folder.hasSuffix("/devices/virtual") else { return nil }
    do throws(Errno) {
      let state = try BoundedFile.line("\(path)/state", limit: 64)
      version = Self.version(of: path)
      isKept = state == "capture" && (try? BoundedFile.line("\(path)/buffers", limit: 64)) == "0"
      isFed =
        switch state {
        case "capture": !isKept
        case "output": false
        default: nil
        }
    } catch .tryAgain {
      // The driver reports neither `capture` nor `output`, so no program feeds the camera (version
      // 0.13).
      (isFed, version) = (false, Self.version(of: path))
    } catch {
      guard error == .noSuchFile,
        let format = try? BoundedFile.read("\(path)/format", limit: 64)
      else { return nil }
      (isFed, version) = (!format.bytes.isEmpty, .anyViewers)
    }
    mostOpenFiles = (try? BoundedFile.line("\(path)/max_openers", limit: 64)).flatMap { Int($0) }
  }

  private static func version(of path: String) -> LoopbackVersion {
    // This is `/sys` for a device in `/sys/devices/virtual/video4linux`.
    let root = "\(path)/../../../.."
    return LoopbackVersion(
      withState: try? BoundedFile.line("\(root)/module/v4l2loopback/version", limit: 64))
  }
}
