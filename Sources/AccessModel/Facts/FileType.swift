/// The type of an inode, as `S_IFMT` tells it.
///
/// Raw values are the words of the case format.
public enum FileType: String, Hashable, Sendable, Codable, CaseIterable {
  case directory = "dir"
  case regular = "reg"
  case characterDevice = "chr"
  case blockDevice = "blk"
  case fifo = "fifo"
  case socket = "sock"
  case symbolicLink = "lnk"

  /// Whether opening it leads to a driver.
  public var isDevice: Bool { self == .characterDevice || self == .blockDevice }
}
