internal import AccessModel
internal import CLinux

extension Mount {
  /// The mount of an object that the mount table does not list, as statfs(2) tells of it.
  ///
  /// A table shows what can be reached from the root alone: after chroot(2) into a plain
  /// directory the mount of `/` itself is missing. statfs(2) gives the flags of the mount and of
  /// its superblock together, so a read-only one leaves open which of them it is. `nil` when the
  /// call fails or the filesystem is of a type that is not known by its number.
  init?(asking path: String, at point: String, inUserNamespace: Bool) {
    var (number, flags) = (UInt32(0), UInt64(0))
    // ST_VALID: the kernel filled the flags in.
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
    // A map of identifiers and a superblock of a user namespace show in no flag.
    if inUserNamespace { unobserved.formUnion([.superblockNodev, .idmap]) }
  }

  /// The types by their numbers in linux/magic.h, where ext2, ext3 and ext4 have one in common.
  private static let types: [UInt32: String] = [
    0xEF53: "ext4", 0x0102_1994: "tmpfs", 0x5846_5342: "xfs", 0x9123_683E: "btrfs",
    0x794C_7630: "overlay", 0x7371_7368: "squashfs", 0xF2F5_2010: "f2fs", 0x8584_58F6: "ramfs",
    0xE0F5_E1E2: "erofs",
  ]
}
