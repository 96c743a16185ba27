/// The type of an inode: the bits of `st_mode` under `S_IFMT`.
///
/// Raw values are the words of the case format.
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
  /// `S_IFSOCK`; open(2) always fails on one with `ENXIO`, after permission.
  case socket = "sock"
  /// `S_IFLNK`.
  case symbolicLink = "lnk"

  /// Whether opening it leads to a driver.
  public var isDevice: Bool { self == .characterDevice || self == .blockDevice }
}
