/// The owner that the options of a mount give to everything on it.
struct MountOwner: AssessmentReader {
  let assessment: Assessment
  let names: Names

  /// The mount, where its options say whose everything on it is.
  var mount: Mount? {
    guard let node = assessment.decidingStep?.node, let mount = access.mount(of: node.path),
      mount.takesOwner, !node.type.isDevice
    else { return nil }
    return mount
  }

  /// Mounts it with the user as the owner: such filesystems keep no owner, mode or list.
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

  /// That the owner comes from the mount, as a sentence with a space before it.
  var sentence: String {
    mount.map {
      " The owner comes from the options of the mount at \($0.at) (\($0.fstype): uid=, gid=)."
    } ?? ""
  }
}
