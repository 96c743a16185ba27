internal import AccessModel

/// A device, told from another that takes its node later.
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

  /// A directory.
  init(directory path: String) {
    self.path = path
    sysfsPath = nil
  }
}
