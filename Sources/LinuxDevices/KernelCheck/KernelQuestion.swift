package import AccessModel

/// What the kernel is asked about one path.
package struct KernelQuestion: Sendable {
  /// An absolute path.
  package var path: String
  /// The permissions, each of which gets an answer of its own.
  package var modes: [Permissions]

  package init(_ path: String, _ modes: [Permissions]) {
    self.path = path
    self.modes = modes
  }

  /// With the answers to it, in the order of its permissions.
  func checks(_ answers: some Sequence<Errno>) -> [KernelCheck] {
    zip(modes, answers).map { KernelCheck(path: path, mode: $0, errno: $1) }
  }
}
