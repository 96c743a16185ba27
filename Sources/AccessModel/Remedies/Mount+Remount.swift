/// How mount(8) changes a mount.
extension Mount {
  /// The option that makes it writable.
  var writableOption: FactsChange.MountOption {
    superblockReadOnly ? .filesystemReadWrite : .readWrite
  }

  /// Whether the driver refuses to make the file system writable by a remount.
  ///
  /// FUSE file systems have no remount; the drivers of NTFS keep a volume that Windows has not
  /// released read-only; the others are never written.
  var refusesWritableRemount: Bool {
    fstype == "fuse" || fstype.hasPrefix("fuse.") || isOfWindows
      || ["iso9660", "squashfs", "erofs", "cramfs", "romfs"].contains(fstype)
  }

  /// Whether it is a volume of NTFS, which ntfs-3g mounts as `fuseblk`.
  var isOfWindows: Bool { ["fuseblk", "ntfs", "ntfs3"].contains(fstype) }

  /// The command that remounts it with an option.
  ///
  /// Wherever that is enough the mount alone is changed: else `ro` of a bind mount would make the
  /// whole filesystem read-only, also where it is mounted elsewhere.
  ///
  /// mount(8) before 2.39 hands the word "idmapped" of the mount table on to the filesystem, which
  /// refuses it. To change the whole filesystem of such a mount, mount(8) is told not to read the
  /// table, and the flags of the mount, which would go, are given again.
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
