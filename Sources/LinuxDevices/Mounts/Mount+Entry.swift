internal import AccessModel

extension MountEntry {
  /// Returns a Boolean value that indicates whether the machine's root mounted it as a tmpfs.
  ///
  /// If the user namespace has no number for root, its processes cannot have mounted it. The
  /// options of a tmpfs name its owner, who is the user that mounted it, unless that is root
  /// (`shmem_show_options`). Podman creates such a filesystem for the devices of a container with
  /// `--uidmap`.
  func isOfRoot(outside map: IDMapping) -> Bool {
    fstype == "tmpfs" && map.users.inside(0) == nil
      && !superblockOptions.contains { $0.hasPrefix("uid=") }
  }
}

extension Mount {
  /// Creates a mount from an entry of the mount table, as seen from a user namespace or not.
  init(_ entry: MountEntry, at point: String, inUserNamespace: Bool) {
    self.init(at: point, fstype: entry.fstype)
    for option in entry.options {
      switch option {
      case "ro": readOnly = true
      case "nodev": nodev = true
      case "noexec": noexec = true
      case "nosuid": nosuid = true
      case "nosymfollow": nosymfollow = true
      // The table shows that a map exists, not its contents; reading it needs statmount(2) of 6.15.
      case "idmapped": unobserved.insert(.idmap)
      default: break
      }
    }
    superblockReadOnly = entry.superblockOptions.contains("ro")
    source = entry.source.isEmpty ? nil : entry.source
    if fstype == "fuse" || fstype.hasPrefix("fuse."), !inUserNamespace {
      let prefix = "user_id="
      let user = entry.superblockOptions.first { $0.hasPrefix(prefix) }
      fuse = user.flatMap { UInt32($0.dropFirst(prefix.utf8.count)) }.map {
        FuseOptions(user: $0, allowsOthers: entry.superblockOptions.contains("allow_other"))
      }
    }

    // SB_I_NODEV is in no table. The kernel sets it on procfs (proc_fill_super), and on every
    // superblock that a user namespace owns (alloc_super), which these types allow.
    if fstype == "proc" {
      superblockNodev = true
    } else if inUserNamespace && Self.typesOfUserNamespaces.contains(fstype) {
      unobserved.insert(.superblockNodev)
    }
  }

  /// The types that can hold device nodes and that a user namespace may mount.
  ///
  /// The C constant is `FS_USERNS_MOUNT`.
  private static let typesOfUserNamespaces: Set<String> = [
    "tmpfs", "ramfs", "overlay", "fuse", "fuseblk", "fuse.fuse-overlayfs",
  ]
}
