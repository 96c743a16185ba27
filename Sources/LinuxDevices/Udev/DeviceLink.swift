internal import AccessModel

/// Symbolic links below `/dev` that udev made.
enum DeviceLink {
  /// Whether a link really leads to the node.
  ///
  /// Two cameras without serial numbers claim the same link, and only one of them has it.
  static func leads(_ link: String, to node: String) -> Bool {
    guard let target = SymbolicLink.target(of: link) else { return false }
    return PathKey(SymbolicLink.resolve(target, from: link)) == PathKey(node)
  }
}
