package import CSystemd

/// The functions of libsystemd, which is loaded when the first of them is needed.
package enum SystemdLibrary {
  /// The functions, which are named as in sd-login(3) and sd-bus(3); `nil` if the library or one of
  /// them is missing.
  package static let functions = load("libsystemd.so.0")

  /// Returns the functions of a library; `nil` if the library or one of them is missing.
  package static func load(_ name: String) -> csystemd? {
    guard let functions = unsafe csystemd_load(name) else { return nil }
    return unsafe functions.pointee
  }
}
