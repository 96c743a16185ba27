/// What must hold of every input, and does not.
package struct BrokenPromise: Error, Hashable, CustomStringConvertible {
  package var description: String

  init(_ description: String) {
    self.description = description
  }
}
