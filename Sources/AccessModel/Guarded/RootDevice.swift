/// Character devices that reach what the permissions of files protect.
enum RootDevice {
  /// Memory devices and similar ones, by their kernel names.
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

  /// Subsystems whose devices write to disks or to firmware, around filesystems.
  static let subsystems: Set<String> = [
    "bsg", "mtd", "msr", "nvme", "nvme-generic", "raw", "scsi_generic", "ubi",
  ]

  /// How such devices are called, where the subsystem is not known; a number follows.
  static let prefixes = ["mtd", "ng", "nvme", "sg"]
}

/// Groups and sockets that make their users as good as root.
enum RootGroup {
  /// Groups whose members can become root without a weakness in any program.
  ///
  /// By sudoers(5) or polkit: `sudo`, `wheel`, `admin`. Past all permissions: `disk` reads and
  /// writes filesystems, `kmem` reads memory, `shadow` reads password hashes. By a service that
  /// runs commands as root: a member of `docker`, `podman`, `lxd`, `incus-admin` or `libvirt`
  /// starts a container or a virtual machine that has the machine's own disk.
  ///
  /// Not among them: `adm` and `systemd-journal` read logs; `input` reads keyboards; `kvm`, `incus`,
  /// `plugdev` and `tape` give access only to devices or to the member's own project.
  static let names: Set<String> = [
    "root", "sudo", "wheel", "admin", "disk", "kmem", "shadow", "docker", "podman", "lxd",
    "incus-admin", "libvirt", "libvirtd",
  ]

  /// The sockets of such services, by the last part of their paths.
  static let sockets: Set<String> = [
    "docker.sock", "containerd.sock", "buildkitd.sock", "podman.sock", "crio.sock", "unix.socket",
    "libvirt-sock", "libvirt-admin-sock", "virtqemud-sock", "virtqemud-admin-sock",
  ]
}
