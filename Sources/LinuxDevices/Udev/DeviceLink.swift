/// Symbolic links below `/dev` that udev made.
enum DeviceLink {
  /// Whether a link really leads to the node.
  ///
  /// Two cameras without serial numbers claim the same link, and only one of them has it.
  static func leads(_ link: String, to node: String) -> Bool {
    guard let target = SysfsTree.target(of: link) else { return false }
    return PathKey(resolve(target, from: link)) == PathKey(node)
  }

  /// The absolute path of a link's target, by its names alone.
  static func resolve(_ target: String, from link: String) -> String {
    var names: [String] = []
    let isAbsolute = target.utf8.first == UInt8(ascii: "/")
    let start = isAbsolute ? [] : PathWalk.components(of: link).dropLast()
    for name in start + PathWalk.components(of: target) {
      if name == ".." {
        names = names.dropLast()
      } else if name != "." {
        names.append(name)
      }
    }
    return "/" + names.joined(separator: "/")
  }
}
