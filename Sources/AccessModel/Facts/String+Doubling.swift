/// What escapes a sign for a reader of bytes, also where a mark that follows makes one character of both.
extension String {
  /// This text with each of a scalar doubled.
  package func doubling(_ scalar: Unicode.Scalar) -> String { placing(scalar, before: scalar) }

  /// This text with a sign before each of some scalars.
  package func placing(_ sign: Unicode.Scalar, before marked: Unicode.Scalar...) -> String {
    unicodeScalars.reduce(into: "") { text, next in
      if marked.contains(next) { text.unicodeScalars.append(sign) }
      text.unicodeScalars.append(next)
    }
  }
}
