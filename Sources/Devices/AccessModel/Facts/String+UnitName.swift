extension String {
  /// A Boolean value that indicates whether the text is a valid systemd unit name.
  ///
  /// Text in another form could be a pattern for many units, a path or an option. The corresponding
  /// function of systemd is `unit_name_is_valid`.
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

  /// The maximum length of a unit name in bytes (`UNIT_NAME_MAX`).
  private static let longestUnitName = 255

  /// The name suffixes of all unit types.
  package static let unitSuffixes = [
    ".service", ".socket", ".device", ".mount", ".automount", ".swap", ".target", ".path", ".timer",
    ".slice", ".scope",
  ]
}
