/// The type of an inode: the bits of `st_mode` that `S_IFMT` selects.
///
/// The case format uses the raw values.
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
  /// `S_IFSOCK`; open(2) always fails with `ENXIO` on a socket, after the permission check.
  case socket = "sock"
  /// `S_IFLNK`.
  case symbolicLink = "lnk"

  /// A Boolean value that indicates whether a driver opens objects of this type.
  public var isDevice: Bool { self == .characterDevice || self == .blockDevice }
}
