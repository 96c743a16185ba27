/// Where the numbers of users and groups in the facts come from.
extension AccessFacts {
  /// Whether the numbers of users and groups are those of a user namespace around the subject's, and
  /// not those of the machine, which cannot be seen from there.
  ///
  /// Inside a user namespace the kernel shows the numbers of its parent. That the parent is not the
  /// initial namespace shows in root's own objects, which appear as nobody's although the map has a
  /// number for root, or in a map of numbers that no machine hands out (subuid(5) begins far above).
  package var hasForeignNumbers: Bool {
    guard let map = access.subject.userNamespace?.users else { return false }
    if map.ranges.contains(where: { (1..<1000).contains($0.outside) && $0.length > 1 }) {
      return true
    }
    // On Proxmox VE, such engines usually run in containers of LXC.
    if confinement.takesRunOptions, confinement.kernelRelease?.hasSuffix("-pve") == true {
      return true
    }
    guard map.inside(0) != nil else { return false }
    return access.nodes.contains { node in
      guard node.uid == Subject.overflowID else { return false }
      if node.type.isDevice { return true }
      return node.type == .directory
        && access.mount(of: node.path).map { Self.rootedTypes.contains($0.fstype) } ?? false
    }
  }

  /// Filesystems whose directories are root's.
  private static let rootedTypes: Set<String> = ["devtmpfs", "proc", "sysfs"]
}
