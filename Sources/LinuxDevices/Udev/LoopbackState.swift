internal import AccessModel

/// What v4l2loopback tells everybody of one of its virtual cameras; nothing is opened for it.
struct LoopbackState: Equatable {
  /// Whether a camera gets pictures; `nil` where the driver says something else.
  ///
  /// Its `state` tells, or before version 0.13 its `format`, which is empty until a program has begun to
  /// feed it and is kept for as long as anybody has it open.
  var isFed: Bool?
  /// Whether it says that it captures, and nobody has fed it yet: a control makes it say so
  /// (`keep_format`), and then it has no buffers until it is fed for the first time.
  var isKept = false
  var version: LoopbackVersion
  /// How many open files of it there can be (`max_openers`).
  var mostOpenFiles: Int?

  /// - Parameter path: The path of a device in sysfs.
  init?(at path: String) {
    // `/sys/devices/virtual/video4linux/video0`, without a search in each path of a list.
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
      // Neither a program that feeds it nor one that could (version 0.13).
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
    // `/sys`, from a device in `/sys/devices/virtual/video4linux`.
    let root = "\(path)/../../../.."
    return LoopbackVersion(
      withState: try? BoundedFile.line("\(root)/module/v4l2loopback/version", limit: 64))
  }
}
