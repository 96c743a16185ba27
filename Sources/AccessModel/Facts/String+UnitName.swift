extension String {
  /// Whether systemd takes the text as the name of a unit (`unit_name_is_valid`): a name of another
  /// form could be a pattern for many units, a path, or an option.
  package var isUnitName: Bool {
    guard utf8.count <= Self.longestUnitName, utf8.first != UInt8(ascii: "@"),
      let dot = lastIndex(of: "."), dot > startIndex,
      Self.unitSuffixes.contains(String(self[dot...]))
    else { return false }
    return utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: ":-_.\\@".utf8.contains(byte)
      }
    }
  }

  /// `UNIT_NAME_MAX`, in bytes.
  private static let longestUnitName = 255

  /// The ends of the names of all types of units.
  package static let unitSuffixes = [
    ".service", ".socket", ".device", ".mount", ".automount", ".swap", ".target", ".path", ".timer",
    ".slice", ".scope",
  ]
}
