extension Permissions: CustomStringConvertible {
  /// The bits as `ls` prints them, such as `rw-`.
  public var description: String {
    (contains(.read) ? "r" : "-") + (contains(.write) ? "w" : "-")
      + (contains(.execute) ? "x" : "-")
  }

  /// The letters of the bits that are set, such as `rw`: the form of the case format.
  public var letters: String {
    (contains(.read) ? "r" : "") + (contains(.write) ? "w" : "") + (contains(.execute) ? "x" : "")
  }

  /// Reads letters in any order; `nil` when one is none of `r`, `w` and `x`.
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
