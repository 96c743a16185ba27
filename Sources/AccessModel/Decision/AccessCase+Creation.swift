extension Request {
  /// Whether a missing name is to be created.
  public var creates: Bool {
    guard case .open(_, let flags) = self else { return false }
    return flags.contains(.create) && !flags.contains(.path)
  }
}

extension AccessCase {
  /// The canonical directory in which the request creates a file; `nil` when it creates none, or
  /// is refused before.
  public var creationDirectory: String? {
    guard request.creates else { return nil }
    let directory = PreparedCase(self).lastCheck(for: request).creationDirectory
    return directory < 0 ? nil : nodes[Int(directory)].path
  }
}
