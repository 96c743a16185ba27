/// Reads the values of a link one after another.
@usableFromInline struct LinkReader {
  @usableFromInline var texts: ArraySlice<String?>

  @inlinable init(_ texts: [String?]) {
    self.texts = texts[...]
  }

  /// The next value; `nil` where its text is none of its type.
  @inlinable mutating func next<Value: LinkValue>(_: Value.Type) -> Value? {
    Value(linkText: texts.popFirst() ?? nil)
  }
}
