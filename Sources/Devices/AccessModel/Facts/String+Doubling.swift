/// Escaping of single Unicode scalars, which also works before a combining mark.
extension String {
  /// Returns this text with each occurrence of a scalar doubled.
  package func doubling(_ scalar: Unicode.Scalar) -> String { placing(scalar, before: scalar) }

  /// Returns this text with a scalar inserted before each occurrence of the marked scalars.
  package func placing(_ sign: Unicode.Scalar, before marked: Unicode.Scalar...) -> String {
    unicodeScalars.reduce(into: "") { text, next in
      if marked.contains(next) { text.unicodeScalars.append(sign) }
      text.unicodeScalars.append(next)
    }
  }
}
