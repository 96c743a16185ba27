/// A path that compares by its bytes, as the kernel compares paths.
///
/// Swift strings are equal if they are canonically equivalent, so a precomposed letter and the same
/// letter with a combining accent would be the same file.
package struct PathKey: Hashable, Sendable {
  private let bytes: [UInt8]

  /// Creates the key of a path or of a single name.
  package init(_ path: String) {
    bytes = Array(path.utf8)
  }
}
