/// The type of an inode: the bits of `st_mode` that `S_IFMT` selects.
///
/// The raw values are those of the case format.
public enum FileType: String, Hashable, Sendable, Codable, CaseIterable {
  /// `S_IFDIR`.
  case directory = "dir"
  /// `S_IFREG`.
  case regular = "reg"
  /// `S_IFCHR`, such as a camera or a terminal.
  case characterDevice = "chr"
  /// `S_IFBLK`, such as a disk.
  case blockDevice = "blk"
  /// `S_IFIFO`, a named pipe.
  case fifo = "fifo"
  /// `S_IFSOCK`, on which open(2) always fails with `ENXIO` after the permission check.
  case socket = "sock"
  /// `S_IFLNK`.
  case symbolicLink = "lnk"

  /// A Boolean value that indicates whether a driver handles opens of this type.
  public var isDevice: Bool { self == .characterDevice || self == .blockDevice }
}
