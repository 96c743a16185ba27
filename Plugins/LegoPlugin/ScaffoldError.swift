/// Why nothing was written, in one line.
struct ScaffoldError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
