internal import AccessModel
internal import CSystemd

/// The functions of libsystemd, which is loaded when the first of them is wanted.
enum SystemdLibrary {
  private static let loaded = load("libsystemd.so.0")

  /// The functions of a library; `nil` where it, or one of them, is missing.
  static func load(_ name: String) -> csystemd? {
    guard let functions = unsafe csystemd_load(name) else { return nil }
    return unsafe functions.pointee
  }

  /// The functions, under the names of sd-login(3) and sd-bus(3).
  ///
  /// - Throws: `ELIBACC` where the library, or one of the functions, is missing.
  static func functions() throws(Errno) -> csystemd {
    guard let loaded else { throw .noLibrary }
    return loaded
  }
}
