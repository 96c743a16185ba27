extension Request {
  /// A Boolean value that indicates whether the request creates a file if the name does not exist.
  public var creates: Bool {
    guard case .open(_, let flags) = self else { return false }
    return flags.contains(.create) && !flags.contains(.path)
  }
}

extension AccessCase {
  /// The canonical path of the directory in which the request creates a file.
  ///
  /// The value is `nil` if the request does not create a file, or if it fails before the kernel
  /// checks whether a file may be created.
  public var creationDirectory: String? {
    guard request.creates else { return nil }
    let directory = PreparedCase(self).lastCheck(for: request).creationDirectory
    return directory < 0 ? nil : nodes[Int(directory)].path
  }
}
