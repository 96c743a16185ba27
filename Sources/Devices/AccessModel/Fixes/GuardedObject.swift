internal import UdevRules

/// An object that must not be opened to other users.
///
/// Access to such an object is equivalent to root privileges or reveals a secret.
/// ``AccessFacts/guarded(_:for:)`` identifies these objects by their types and paths. Fixes, grants
/// and requests all call that method.
public struct GuardedObject: Hashable, Sendable {
  /// The canonical path of the object.
  public let path: String
  /// The purpose of the object, as the rest of a sentence that starts with the path.
  ///
  /// An example is `belongs to the programs that root runs`.
  let purpose: String
  /// The consequence of giving a user access, as one clause.
  let danger: String
  /// A sentence that describes the usual alternative for users who need the object; `nil` if none
  /// exists.
  var alternative: String?

  /// The purpose and the danger as one clause, for an error message that starts with the path.
  public var reason: String { "it \(purpose), and \(danger)" }

  /// The purpose and the danger as one sentence.
  public var sentence: String { "\(path) \(purpose): \(danger)." }

  /// The text that is printed instead of a fix.
  var advice: String { note("Do not grant access.") }

  /// The text that is printed along with the remaining fixes, such as starting the container
  /// differently.
  var warning: String { note("Use a fix only if you accept this.") }

  private func note(_ end: String) -> String {
    [sentence, alternative, end].compactMap(\.self).joined(separator: " ")
  }
}

extension GuardedObject {
  /// Creates the description of a missing secret or memory device from its path.
  init?(missingAt path: String) {
    let secret =
      path.hasPrefix("/dev/")
      ? RootDevice.memory[String(path.dropFirst(5))].map {
        GuardedObject(path: path, purpose: $0.purpose, danger: $0.danger)
      } : TrustedDirectories.secret(at: path)
    if let secret {
      self = secret
      return
    }
    let name = path.split(separator: "/").last.map(String.init) ?? path
    guard RootGroup.sockets.contains(name) else { return nil }
    self.init(
      path: path, purpose: "is the socket of a service that runs commands as root",
      danger: "a user who can write to it can become root")
  }
}

extension AccessFacts {
  /// Returns a description of a node that must not be opened to the subject.
  ///
  /// A node is not guarded from its owner, who can change its mode anyway.
  ///
  /// - Parameters:
  ///   - node: An existing object.
  ///   - wanted: The access in question.
  /// - Returns: The guarded object; `nil` if the node may be opened to the subject.
  public func guarded(_ node: Node, for wanted: Permissions) -> GuardedObject? {
    guard !node.unobserved.contains(.status), node.uid != access.subject.fsuid else { return nil }
    if node.type.isDevice {
      // A member of group disk reads and writes every disk anyway.
      let isPowerful = access.subject.groups.contains { account.groupNames[$0] == "disk" }
      return isPowerful && confinement.container == nil ? nil : guardedDevice(node, for: wanted)
    }
    guard isRoot(node.uid) else { return nil }
    if let secret = TrustedDirectories.secret(at: node.path) { return secret }
    guard wanted.contains(.write) else { return nil }
    if node.type == .socket {
      guard isSocketOfRoot(node) else { return nil }
      return GuardedObject(
        path: node.path, purpose: "is the socket of a service that runs commands as root",
        danger: Self.danger)
    }
    return TrustedDirectories.trusted(node, isInContainer: confinement.container != nil)
  }

  /// Returns the reason not to add a user to a group.
  ///
  /// - Parameter group: The number of the group.
  /// - Returns: The reason as one sentence; `nil` if membership is not equivalent to root
  ///   privileges.
  func danger(ofJoining group: UInt32) -> String? {
    guard let name = account.groupNames[group], RootGroup.names.contains(name) else { return nil }
    return "A member of group \(name) can become root, so no fix adds a user to it."
  }

  static let danger = "a user who can write to it can become root"

  /// Returns whether a user is root on the machine or in the subject's user namespace.
  private func isRoot(_ user: UInt32) -> Bool {
    user == 0 || access.subject.userNamespace?.users.inside(user) == 0
  }

  private func isSocketOfRoot(_ node: Node) -> Bool {
    let name = String(node.path.split(separator: "/").last ?? "")
    return RootGroup.sockets.contains(name)
      || !isRoot(node.gid) && danger(ofJoining: node.gid) != nil
  }

  // MARK: - Devices

  /// Returns a description of a disk, or of another device that gives access regardless of
  /// permissions.
  private func guardedDevice(_ node: Node, for wanted: Permissions) -> GuardedObject? {
    guard !wanted.isDisjoint(with: [.read, .write]) else { return nil }
    let device = devices.first { device in
      device.number == node.rdev && (device.subsystem == "block") == (node.type == .blockDevice)
    }
    let name = device?.kernelName ?? String(node.path.split(separator: "/").last ?? "")
    if node.type == .blockDevice { return isDisc(name, device) ? nil : disk(node, name, wanted) }
    if let memory = RootDevice.memory[name] {
      return GuardedObject(path: node.path, purpose: memory.purpose, danger: memory.danger)
    }
    if RootDevice.subsystems.contains(device?.subsystem ?? "")
      || RootDevice.prefixes.contains(where: { prefix in
        name.hasPrefix(prefix) && name.utf8.dropFirst(prefix.utf8.count).first?.isDecimal == true
      })
    {
      // The generic nodes of optical drives and scanners do not belong to the groups of disks.
      guard danger(ofJoining: node.gid) != nil || isRoot(node.gid) else { return nil }
      return GuardedObject(
        path: node.path,
        purpose: "gives direct access to hardware that the system may run from, such as a disk",
        danger: Self.danger)
    }
    // A device with group root was not given to any group. In a container, the number of a host's
    // group may have another name.
    guard !isRoot(node.gid), !confinement.takesRunOptions, danger(ofJoining: node.gid) != nil,
      let group = account.groupNames[node.gid]
    else { return nil }
    return GuardedObject(
      path: node.path, purpose: "belongs to group \(group), whose members can become root",
      danger: "only members of that group should have access")
  }

  private func disk(_ node: Node, _ name: String, _ wanted: Permissions) -> GuardedObject {
    let mount = access.mounts.first { $0.source.map(node.path.holds) ?? false }
    let purpose =
      mount.map { "holds the filesystem that is mounted at \($0.at)" }
      ?? (name.hasPrefix("loop") || name.hasPrefix("dm-")
        ? "is a block device" : "is a disk or a partition")
    return GuardedObject(
      path: node.path, purpose: purpose,
      danger: wanted.contains(.write)
        ? Self.danger
        : "a user who can read it can read every file on it, regardless of modes",
      alternative: confinement.container == nil
        ? """
        For a removable disk, use udisks (udisksctl, GNOME Disks), which asks polkit; to write an \
        image, run that one program as root.
        """ : nil)
  }

  /// Returns whether a device is an optical drive, which contains no system files.
  private func isDisc(_ name: String, _ device: DeviceFacts?) -> Bool {
    guard let device else { return false }
    return device.properties["ID_CDROM"] == "1" || name.hasPrefix("sr")
  }
}

extension String {
  /// Returns whether the source of a mount is this node or one of its partitions.
  ///
  /// For example, `/dev/sda1` is a partition of `/dev/sda`, and `/dev/nvme0n1p2` of `/dev/nvme0n1`.
  fileprivate func holds(_ source: String) -> Bool {
    guard source.hasPrefix(self) else { return false }
    var rest = source.utf8.dropFirst(utf8.count)
    if rest.isEmpty { return true }
    if utf8.last?.isDecimal == true {
      guard rest.popFirst() == UInt8(ascii: "p") else { return false }
    }
    return !rest.isEmpty && rest.allSatisfy(\.isDecimal)
  }
}

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
