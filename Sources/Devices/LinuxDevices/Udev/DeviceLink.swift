internal import AccessModel

/// Functions for the symbolic links in `/dev` that udev creates.
enum DeviceLink {
  /// Returns whether a link leads to the given node.
  ///
  /// Two cameras without serial numbers claim the same link, but the link leads to only one of
  /// them.
  static func leads(_ link: String, to node: String) -> Bool {
    guard let target = SymbolicLink.target(of: link) else { return false }
    return PathKey(SymbolicLink.resolve(target, from: link)) == PathKey(node)
  }
}
