internal import AccessModel
internal import LinuxDevices

extension PermissionReport {
  /// Returns the report with the path of the directory, for a question about a new file in it.
  func about(directory path: String?) -> PermissionReport {
    PermissionReport(
      answer: answer, status: status, availability: availability, certainty: certainty,
      path: path, cause: cause, reason: reason)
  }

  /// Returns the report with the status `limited` if some of the pictures cannot be read.
  ///
  /// Adding and listing pictures still work, so the answer remains the same.
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
