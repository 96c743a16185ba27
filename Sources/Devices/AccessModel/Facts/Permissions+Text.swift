extension Permissions: CustomStringConvertible {
  /// The permissions as `ls` prints them, such as `rw-`.
  public var description: String {
    (contains(.read) ? "r" : "-") + (contains(.write) ? "w" : "-")
      + (contains(.execute) ? "x" : "-")
  }

  /// The letters of the permissions in the set, such as `rw`, as used in the case format.
  public var letters: String {
    (contains(.read) ? "r" : "") + (contains(.write) ? "w" : "") + (contains(.execute) ? "x" : "")
  }

  /// Creates permissions from letters in any order; `nil` if one of them is not `r`, `w` or `x`.
  public init?(letters: String) {
    self = []
    for letter in letters.utf8 {
      switch letter {
      case UInt8(ascii: "r"): insert(.read)
      case UInt8(ascii: "w"): insert(.write)
      case UInt8(ascii: "x"): insert(.execute)
      default: return nil
      }
    }
  }
}
