/// Character devices that give access to data regardless of file permissions.
enum RootDevice {
  /// Memory devices and similar devices, by kernel name.
  static let memory: [String: (purpose: String, danger: String)] = {
    let onlyRoot = "only root should have access"
    let memory = (
      "exposes the memory of every program", onlyRoot
    )
    return [
      "mem": memory, "kmem": memory, "crash": memory,
      "port": ("gives access to every input and output port", onlyRoot),
      "snapshot": ("holds the memory of the machine in hibernation", onlyRoot),
    ]
  }()

  /// Subsystems whose devices bypass filesystems and access disks or firmware directly.
  static let subsystems: Set<String> = [
    "bsg", "mtd", "msr", "nvme", "nvme-generic", "raw", "scsi_generic", "ubi",
  ]

  /// The prefixes of such devices' names, for use if the subsystem is unknown; a number follows.
  static let prefixes = ["mtd", "ng", "nvme", "sg"]
}

/// Groups and sockets whose users have privileges equivalent to root.
enum RootGroup {
  /// Groups whose members can become root without exploiting a vulnerability.
  ///
  /// `sudo`, `wheel` and `admin` are privileged by sudoers(5) or polkit. `disk`, `kmem` and
  /// `shadow` give access to filesystems, memory and password hashes regardless of permissions.
  /// Members of `docker`, `podman`, `lxd`, `incus-admin` and `libvirt` can make a service that runs
  /// as root start a container or a virtual machine with the machine's own disk.
  ///
  /// The other groups are not equivalent to root: `adm` and `systemd-journal` can read logs,
  /// `input` can read keyboards, and `kvm`, `incus`, `plugdev` and `tape` give access only to
  /// devices or to the member's own project.
  static let names: Set<String> = [
    "root", "sudo", "wheel", "admin", "disk", "kmem", "shadow", "docker", "podman", "lxd",
    "incus-admin", "libvirt", "libvirtd",
  ]

  /// The sockets of services that run commands as root, by the last component of their paths.
  static let sockets: Set<String> = [
    "docker.sock", "containerd.sock", "buildkitd.sock", "podman.sock", "crio.sock", "unix.socket",
    "libvirt-sock", "libvirt-admin-sock", "virtqemud-sock", "virtqemud-admin-sock",
  ]
}
