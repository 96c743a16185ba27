internal import AccessModel

/// Detects bwrap(1), which leaves no marker file and sets no environment variable.
extension ContainerObserver {
  /// The maximum number of ancestor processes to inspect.
  private static let mostParents = 16

  /// Returns whether bwrap created the mount namespace.
  ///
  /// Usually bwrap mounts a tmpfs and makes its directory `/newroot` the new root. Otherwise it
  /// bind-mounts the existing root without devices, and remains as an ancestor of the process.
  func isBubblewrap(_ mounts: MountTable, process: String?) -> Bool {
    guard let top = mounts.last(at: "/") else { return false }
    if top.fstype == "tmpfs", top.root == "/newroot" { return true }
    let options = top.options
    guard options.contains("nosuid"), options.contains("nodev"), let process else { return false }
    return isBelowBubblewrap(process)
  }

  private func isBelowBubblewrap(_ process: String) -> Bool {
    var folder = process
    for _ in 0..<Self.mostParents {
      guard let file = try? BoundedFile.read("\(folder)/stat", limit: 1024),
        let line = Self.nameAndParent(file.bytes)
      else { return false }
      if line.name.elementsEqual("bwrap".utf8) { return true }
      guard line.parent > 0 else { return false }
      folder = "\(roots.proc)/\(line.parent)"
    }
    return false
  }

  /// Parses the name and the parent of a process from its `stat` file: `1234 (name) S 1 …`.
  private static func nameAndParent(
    _ bytes: [UInt8]
  ) -> (name: ArraySlice<UInt8>, parent: UInt32)? {
    guard let opening = bytes.firstIndex(of: UInt8(ascii: "(")),
      let closing = bytes.lastIndex(of: UInt8(ascii: ")")), opening < closing
    else { return nil }
    let words = bytes[(closing + 1)...].split(maxSplits: 2) { $0 == ByteScanner.space }
    guard words.count > 1, let parent = ByteScanner.number(words[1]) else { return nil }
    return (bytes[(opening + 1)..<closing], UInt32(parent))
  }
}
