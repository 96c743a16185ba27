/// The program that manages a container of LXC and passes devices to it.
enum ContainerManager {
  case lxd, incus, proxmox
  /// The configuration of the container itself, without a manager.
  case lxc

  /// The manager that the label, the source of the root mount or the kernel points to; `nil` where
  /// none of them does.
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

  /// The name in a sentence.
  var words: String {
    switch self {
    case .lxd: "LXD"
    case .incus: "Incus"
    case .proxmox: "Proxmox VE"
    case .lxc: "LXC"
    }
  }
}
