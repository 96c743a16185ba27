package import CSystemd

/// The functions of libsystemd, which is loaded when the first of them is wanted.
package enum SystemdLibrary {
  /// The functions, under the names of sd-login(3) and sd-bus(3); `nil` where the library, or one
  /// of them, is missing.
  package static let functions = load("libsystemd.so.0")

  /// The functions of a library; `nil` where it, or one of them, is missing.
  package static func load(_ name: String) -> csystemd? {
    guard let functions = unsafe csystemd_load(name) else { return nil }
    return unsafe functions.pointee
  }
}
