internal import AccessModel
internal import Glibc

/// The program that this process runs.
package enum RunningProgram {
  /// The absolute path of this program, for services and rules that start it later.
  package static var path: String? {
    guard let path = SymbolicLink.target(of: "/proc/self/exe"), path.first == "/",
      !path.hasSuffix(" (deleted)"), unsafe access(ByteText(path).cString, X_OK) == 0
    else { return nil }
    return path
  }
}
