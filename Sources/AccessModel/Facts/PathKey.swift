/// A path as the kernel tells it from others: by its bytes.
///
/// Swift's strings are equal when they look the same, so that an accented letter and a letter
/// with an accent would be one file.
package struct PathKey: Hashable, Sendable {
  private let bytes: [UInt8]

  /// The key of a path, or of a name in one.
  package init(_ path: String) {
    bytes = Array(path.utf8)
  }
}
