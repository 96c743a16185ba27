/// How much of a message is read.
package struct BusLimits: Hashable, Sendable {
  /// How many bytes a text has at most; a longer one is read as a value of another type.
  package var text: Int
  /// How many values a message has at most.
  package var values: Int
  /// How deep values lie at most.
  package var depth: Int

  package init(text: Int, values: Int, depth: Int) {
    self.text = text
    self.values = values
    self.depth = depth
  }
}
