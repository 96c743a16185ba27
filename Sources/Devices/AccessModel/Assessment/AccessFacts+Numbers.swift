/// The user namespace that the user and group IDs in the facts belong to.
extension AccessFacts {
  /// A Boolean value that indicates whether the IDs come from a user namespace that hides the IDs
  /// of the machine.
  ///
  /// Inside a user namespace, the kernel reports the IDs of the parent namespace. The parent is not
  /// the initial namespace if root's own objects belong to the overflow user although the map has
  /// an ID for root. The same is true if the map contains IDs that no machine assigns to a
  /// namespace: the ranges in subuid(5) start far above them.
  package var hasForeignNumbers: Bool {
    guard let map = access.subject.userNamespace?.users else { return false }
    if map.ranges.contains(where: { (1..<1000).contains($0.outside) && $0.length > 1 }) {
      return true
    }
    // On Proxmox VE, these engines usually run inside LXC containers.
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

  /// The filesystems whose directories belong to root.
  private static let rootedTypes: Set<String> = ["devtmpfs", "proc", "sysfs"]
}
