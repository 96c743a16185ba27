extension String {
  /// This text with each of a scalar doubled, also where a mark that follows makes one character of both.
  package func doubling(_ scalar: Unicode.Scalar) -> String {
    unicodeScalars.reduce(into: "") { text, next in
      text.unicodeScalars.append(next)
      if next == scalar { text.unicodeScalars.append(next) }
    }
  }
}
