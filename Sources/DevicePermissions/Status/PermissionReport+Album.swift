internal import AccessModel
internal import LinuxDevices

extension PermissionReport {
  /// The same about the directory, where the question was about a new file in it.
  func about(directory path: String?) -> PermissionReport {
    PermissionReport(
      answer: answer, status: status, availability: availability, certainty: certainty,
      path: path, cause: cause, reason: reason)
  }

  /// The same for an album of which some pictures cannot be read: adding and listing work, so the
  /// answer stays what it is.
  func limited(by contents: AlbumContents?) -> PermissionReport {
    guard status == .authorized, let contents, !contents.unreadable.isEmpty else { return self }
    let count = contents.unreadable.count
    let words = count == 1 ? "1 picture" : "\(count) pictures"
    return PermissionReport(
      answer: answer, status: .limited, availability: availability, certainty: certainty,
      path: path, cause: cause,
      reason: "\(words) cannot be read\(contents.isComplete ? "" : ", and there are more").")
  }
}
