internal import AccessModel
internal import CLinux

extension Mount {
  /// Creates the mount of an object that the mount table does not list, with statfs(2).
  ///
  /// A mount table contains only mounts that are reachable from the root directory. After chroot(2)
  /// to a plain directory, for example, it does not contain the mount of `/`. statfs(2) combines
  /// the flags of the mount and of its superblock, so the call does not show which of the two is
  /// read-only. The result is `nil` if the call fails or the type of the filesystem is unknown.
  init?(asking path: String, at point: String, inUserNamespace: Bool) {
    var (number, flags) = (UInt32(0), UInt64(0))
    // ST_VALID: the kernel has set the flags.
    guard unsafe clinux_filesystem(ByteText(path).cString, &number, &flags) == 0, flags & 0x20 != 0,
      let fstype = Self.types[number]
    else { return nil }
    self.init(at: point, fstype: fstype)
    readOnly = flags & 0x1 != 0
    nosuid = flags & 0x2 != 0
    nodev = flags & 0x4 != 0
    noexec = flags & 0x8 != 0
    nosymfollow = flags & 0x2000 != 0
    if readOnly { unobserved.insert(.flags) }
    // No flag shows an ID map, or whether a user namespace owns the superblock.
    if inUserNamespace { unobserved.formUnion([.superblockNodev, .idmap]) }
  }

  /// The filesystem types by their numbers in linux/magic.h; ext2, ext3 and ext4 share one number.
  private static let types: [UInt32: String] = [
    0xEF53: "ext4", 0x0102_1994: "tmpfs", 0x5846_5342: "xfs", 0x9123_683E: "btrfs",
    0x794C_7630: "overlay", 0x7371_7368: "squashfs", 0xF2F5_2010: "f2fs", 0x8584_58F6: "ramfs",
    0xE0F5_E1E2: "erofs",
  ]
}
