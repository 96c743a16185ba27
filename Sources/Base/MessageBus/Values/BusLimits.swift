/// The limits for a message that is read.
package struct BusLimits: Hashable, Sendable {
  /// The maximum size of a string in bytes; a longer string is read as ``BusValue/other``.
  package var text: Int
  /// The maximum number of values in a message.
  package var values: Int
  /// The maximum nesting depth of values.
  package var depth: Int

  package init(text: Int, values: Int, depth: Int) {
    self.text = text
    self.values = values
    self.depth = depth
  }
}
