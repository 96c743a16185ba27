internal import JSONText

extension JSONOptions {
  /// The lines of a recording: changes of any shape that their own program wrote.
  ///
  /// A change nests deeper than a document that people write, since an enumeration takes two
  /// levels of JSON for each of its own. Nobody writes infinities by hand, but a design has them.
  static let recording = JSONOptions(depth: 512, allowsNonFiniteNumbers: true)
}
