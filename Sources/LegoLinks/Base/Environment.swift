internal import Glibc

/// The environment of the process.
enum Environment {
  /// A variable that is set and not empty.
  static func text(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    let text = unsafe String(cString: value)
    return text.isEmpty ? nil : text
  }
}
