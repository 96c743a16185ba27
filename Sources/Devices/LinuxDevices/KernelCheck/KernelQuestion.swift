package import AccessModel

/// A path and the permissions to ask the kernel about.
package struct KernelQuestion: Sendable {
  /// The absolute path.
  package var path: String
  /// The permissions, each of which is checked separately.
  package var modes: [Permissions]

  package init(_ path: String, _ modes: [Permissions]) {
    self.path = path
    self.modes = modes
  }

  /// Combines the permissions with the answers, which are in the same order.
  func checks(_ answers: some Sequence<Errno>) -> [KernelCheck] {
    zip(modes, answers).map { KernelCheck(path: path, mode: $0, errno: $1) }
  }
}
