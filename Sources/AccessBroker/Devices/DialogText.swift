/// Untrusted names in a dialog.
enum DialogText {
  /// A name as a dialog may show it: letters, digits and a few signs of ASCII, so that it can neither be
  /// taken for markup nor for other words of the dialog.
  ///
  /// - Parameter name: The name, of any length.
  /// - Returns: At most 64 signs; `nil` for an empty name.
  static func plain(_ name: String) -> String? {
    let signs = Set(" -_.:/()".unicodeScalars)
    let scalars = name.unicodeScalars.prefix(64).map { scalar in
      let isPlain =
        scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
      return isPlain || signs.contains(scalar) ? Character(scalar) : "?"
    }
    return scalars.isEmpty ? nil : String(scalars)
  }
}
