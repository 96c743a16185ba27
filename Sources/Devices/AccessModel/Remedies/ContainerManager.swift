/// The program that manages an LXC container and passes devices to it.
enum ContainerManager {
  case lxd, incus, proxmox
  /// No manager: the LXC configuration of the container itself.
  case lxc

  /// Determines the manager from the security label, the source of the root mount, or the kernel.
  ///
  /// The result is `nil` if none of them identifies it.
  init?(of facts: AccessFacts) {
    let label = facts.confinement.label ?? ""
    let root = facts.access.mounts.first { $0.at == "/" }
    let source = root?.source ?? ""
    let parts = source.split { "/-".contains($0) }.map(String.init)
    if label.hasPrefix("incus-") || parts.contains("incus") {
      self = .incus
    } else if label.hasPrefix("lxd-") || parts.contains("lxd") {
      self = .lxd
    } else if facts.confinement.kernelRelease?.hasSuffix("-pve") == true
      || parts.contains("subvol") || parts.contains("pve")
    {
      self = .proxmox
    } else if label.hasPrefix("lxc-") {
      self = .lxc
    } else if parts.contains("containers") {
      self = .lxd
    } else {
      return nil
    }
  }

  /// The name for use in sentences.
  var words: String {
    switch self {
    case .lxd: "LXD"
    case .incus: "Incus"
    case .proxmox: "Proxmox VE"
    case .lxc: "LXC"
    }
  }
}
