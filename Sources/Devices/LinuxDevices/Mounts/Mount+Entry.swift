internal import AccessModel

extension MountEntry {
  /// Returns whether the mount is a tmpfs that the machine's root user mounted.
  ///
  /// A tmpfs lists its owner in the options unless the owner is root (`shmem_show_options`). If a
  /// user namespace does not map root, its processes cannot have mounted a filesystem that root
  /// owns. Podman mounts such a tmpfs for the devices of a container with `--uidmap`.
  func isOfRoot(outside map: IDMapping) -> Bool {
    fstype == "tmpfs" && map.users.inside(0) == nil
      && !superblockOptions.contains { $0.hasPrefix("uid=") }
  }
}

extension Mount {
  /// Creates a mount from an entry of the mount table.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - point: The mount point.
  ///   - inUserNamespace: A Boolean value that indicates whether the subject is in a user
  ///     namespace, which may own the superblock.
  init(_ entry: MountEntry, at point: String, inUserNamespace: Bool) {
    self.init(at: point, fstype: entry.fstype)
    for option in entry.options {
      switch option {
      case "ro": readOnly = true
      case "nodev": nodev = true
      case "noexec": noexec = true
      case "nosuid": nosuid = true
      case "nosymfollow": nosymfollow = true
      // The table shows that a map exists, but not the map. Reading it requires statmount(2) of
      // Linux 6.15.
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

    // No table shows SB_I_NODEV. The kernel sets it on procfs (proc_fill_super), and on every
    // superblock that a user namespace owns (alloc_super), which is possible for these types.
    if fstype == "proc" {
      superblockNodev = true
    } else if inUserNamespace && Self.typesOfUserNamespaces.contains(fstype) {
      unobserved.insert(.superblockNodev)
    }
  }

  /// The types that can contain device nodes and that a user namespace may mount.
  ///
  /// The C constant is `FS_USERNS_MOUNT`.
  private static let typesOfUserNamespaces: Set<String> = [
    "tmpfs", "ramfs", "overlay", "fuse", "fuseblk", "fuse.fuse-overlayfs",
  ]
}
