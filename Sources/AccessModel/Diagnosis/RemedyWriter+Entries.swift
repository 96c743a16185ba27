/// Remedies that let one user at one device, or one drive, for good.
extension RemedyWriter {
  /// A udev rule that gives the subject's user an entry at every event of the device: as little as
  /// setfacl(1) by hand, and it stays.
  func entryRule(_ path: String) -> Remedy? {
    let user = subject.fsuid
    guard confinement.container == nil, subject.userNamespace == nil, let device,
      device.node == path, device.isInitialized, facts.hardware?.hasUdevControl != false,
      // logind takes the entry of a person away when the session on the seat ends.
      !device.isTaggedForUserAccess || confinement.serviceUnit != nil,
      user == subject.ruid, names.hasPlainName(user: user),
      !subject.unobserved.contains(.dynamicIDs),
      confinement.serviceUnit == nil || !Subject.dynamicIDs.contains(user),
      let node = judgement.access.nodes.first(where: { $0.path == path }),
      let mount = judgement.access.mount(of: path), mount.idmap == nil,
      let plan = EntryPlan(node, mount, subject, wanted, facts.account),
      !plan.replaces, plan.entries.count == 1, let match = RuleMatch(device)
    else { return nil }
    let entry = "u:\(names.userWord(user)):\(plan.permissions.letters)"
    return rule(
      match, #"ACTION!="remove", RUN+="/usr/bin/setfacl -m \#(entry) $devnode""#, for: path,
      named: "99-devaccess-entry.rules",
      title: """
        Let udev give \(names.user(user)) an entry in the access list of \(path) \
        (\(plan.permissions)) at every event of the device
        """,
      changes: [
        .deviceEvent(path: path, mode: nil, group: nil, isTagged: false),
        .setEntries(path: path, entries: plan.entries),
      ], scope: match.scope)
  }

  /// What the manager of a system container can do: hand in the node with a group of the
  /// container, in which its user is.
  func managedNodeRemedies(_ node: Node?, _ code: CauseCode) -> [Remedy] {
    guard confinement.container == "lxc", let node, node.type.isDevice,
      code == .gidMismatch || code == .containerNoAccess
    else { return [] }
    let held = subject.groups.filter { $0 != subject.fsgid && $0 != Self.overflowID }
    let named = ["video", "render", "audio", "dialout", "kvm"]
    let namesake = held.first { id in
      names.groupName(id) != nil && names.groupName(id) == names.groupName(node.gid)
    }
    guard
      let group = namesake
        ?? held.first(where: { names.groupName($0).map(named.contains) ?? false }) ?? held.first
    else { return [] }
    let inside = subject.userNamespace.flatMap { $0.groups.inside(group) } ?? group
    return [
      Remedy(
        """
        Have the container's manager hand in the node with \(names.group(group)): as a property \
        of the device (Incus, LXD) or of its line dev0: (Proxmox)
        """, options: ["gid=\(inside)"], actor: .packager, takesEffect: "in a new container",
        assumes: "Incus, LXD or Proxmox manages the container, and the mode lets the group in")
    ]
  }

  /// A place of its own for a drive that the desktop mounts where only one user may go.
  func drivePlaceRemedies(_ path: String) -> [Remedy] {
    let parts = path.split(separator: "/")
    let isOfUser =
      path.hasPrefix("/run/media/") ? parts.count == 3 : parts.count == 2 && parts[0] == "media"
    guard isOfUser,
      let mount = judgement.access.mounts.last(where: { $0.at.hasPrefix(path + "/") }),
      let source = mount.source, source.hasPrefix("/dev/"), source.isPlainPath,
      let name = mount.at.split(separator: "/").last.map(String.init), name.isPlainPath,
      mount.fstype.isPlainPath
    else { return [] }
    let place = "/srv/\(name)"
    return [
      Remedy(
        "Mount the drive at \(place) at every boot, and use it there",
        commands: [
          "mkdir -p \(place)",
          """
          echo "UUID=$(lsblk -no UUID \(source)) \(place) \(mount.fstype) nofail 0 2" >> /etc/fstab
          """,
          "umount \(mount.at.shellQuoted)",
          "mount \(place)",
        ], actor: .administrator,
        assumes: "the drive's own modes let the user in, and nothing else names \(mount.at)")
    ]
  }
}

extension String {
  /// Whether no shell and no table of mounts reads anything else than itself in it.
  fileprivate var isPlainPath: Bool {
    !isEmpty && first != "-"
      && utf8.allSatisfy { byte in
        ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7A) || (0x30...0x39).contains(byte)
          || [UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: ".")]
            .contains(byte)
      }
  }
}
