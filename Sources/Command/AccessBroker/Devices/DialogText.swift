/// Formats untrusted names for a dialog.
enum DialogText {
  /// Returns a name with only letters, digits and some punctuation of ASCII.
  ///
  /// The name can therefore not be mistaken for markup or for other words of the dialog.
  ///
  /// - Parameter name: The name, of any length.
  /// - Returns: At most 64 characters, in which `?` replaces any other character; `nil` if the name
  ///   is empty.
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
