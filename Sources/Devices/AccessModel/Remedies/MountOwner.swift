/// The owner that mount options assign to all files on a filesystem.
struct MountOwner: AssessmentReader {
  let assessment: Assessment
  let names: Names

  /// The mount, if its options determine the owner of the node that refuses access.
  var mount: Mount? {
    guard let node = assessment.decidingStep?.node, let mount = access.mount(of: node.path),
      mount.takesOwner, !node.type.isDevice
    else { return nil }
    return mount
  }

  /// The remedy that mounts the filesystem with the user as the owner.
  ///
  /// Such filesystems store no owners, modes or ACLs.
  var remedy: Remedy? {
    guard let mount else { return nil }
    let mode =
      mount.fstype == "cifs" || mount.fstype.hasPrefix("smb")
      ? "file_mode= or dir_mode=" : "an option such as umask="
    return Remedy(
      "Mount \(mount.at) with \(user) as the owner, with these options (for example in /etc/fstab)",
      options: ["uid=\(subject.fsuid),gid=\(subject.fsgid)"], actor: .administrator,
      scope: "access to everything else on the filesystem at \(mount.at)",
      takesEffect: "when it is mounted again",
      assumes: Remedy.both(
        "the mounted filesystem accepts these options", "\(mode) does not remove the permission"))
  }

  /// A sentence that attributes the owner to the mount options; empty if they do not set the owner.
  ///
  /// The sentence has a leading space.
  var sentence: String {
    mount.map {
      " The owner comes from the options of the mount at \($0.at) (\($0.fstype): uid=, gid=)."
    } ?? ""
  }
}
