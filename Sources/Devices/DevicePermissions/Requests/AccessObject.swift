internal import AccessModel

/// Identifies a device, even if another device takes its node later.
struct AccessObject: Hashable, Sendable {
  let path: String
  let sysfsPath: String?

  init(_ explanation: Explanation) {
    path = explanation.path
    sysfsPath = explanation.device?.sysfsPath
  }

  init(_ candidate: Explanation.Candidate) {
    path = candidate.path
    sysfsPath = candidate.device?.sysfsPath
  }

  /// Creates the identity of a directory.
  init(directory path: String) {
    self.path = path
    sysfsPath = nil
  }
}
