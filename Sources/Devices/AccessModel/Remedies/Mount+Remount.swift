/// Remounting filesystems with mount(8).
extension Mount {
  /// The option that makes the mount writable.
  var writableOption: FactsChange.MountOption {
    superblockReadOnly ? .filesystemReadWrite : .readWrite
  }

  /// A Boolean value that indicates whether the filesystem cannot be made writable by remounting
  /// it.
  ///
  /// FUSE filesystems do not support remounting. NTFS drivers keep a volume read-only if Windows
  /// has not released it. The other filesystems are always read-only.
  var refusesWritableRemount: Bool {
    fstype == "fuse" || fstype.hasPrefix("fuse.") || isOfWindows || isAlwaysReadOnly
  }

  /// A Boolean value that indicates whether the filesystem type does not support writing.
  var isAlwaysReadOnly: Bool {
    ["iso9660", "squashfs", "erofs", "cramfs", "romfs"].contains(fstype)
  }

  /// A Boolean value that indicates whether the filesystem is NTFS, which ntfs-3g mounts as
  /// `fuseblk`.
  var isOfWindows: Bool { ["fuseblk", "ntfs", "ntfs3"].contains(fstype) }

  /// Returns the command that remounts the filesystem with an option.
  ///
  /// If possible, the command changes only the mount. Otherwise `ro` for a bind mount would make
  /// the whole filesystem read-only, including its other mounts.
  ///
  /// mount(8) before 2.39 passes the word `idmapped` from the mount table on to the filesystem,
  /// which refuses it. To change the whole filesystem of such a mount, the command makes mount(8)
  /// ignore the table, and repeats the flags of the mount, which would otherwise be cleared.
  func remountCommand(_ option: FactsChange.MountOption) -> String {
    let place = at.shellQuoted
    switch option {
    case .filesystemReadWrite where idmap == nil, .filesystemReadOnly where idmap == nil:
      return "mount -o remount,\(option.word) \(place)"
    case .filesystemReadWrite, .filesystemReadOnly:
      let words = ["remount", option.word] + flagWords
      return "mount --options-mode ignore -o \(words.joined(separator: ",")) \(place)"
    default:
      return "mount -o remount,bind,\(option.word) \(place)"
    }
  }

  private var flagWords: [String] {
    [(nosuid, "nosuid"), (nodev, "nodev"), (noexec, "noexec"), (nosymfollow, "nosymfollow")]
      .filter(\.0).map(\.1)
  }
}
