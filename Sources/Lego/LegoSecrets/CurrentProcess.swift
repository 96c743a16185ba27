internal import CKeyring
internal import Glibc

/// Information about the current process.
enum CurrentProcess {
  /// The file name of the executable, or `nil` if it is unknown or not a valid application name.
  static var executableName: String? {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = unsafe buffer.withUnsafeMutableBytes { bytes -> Int in
      guard let base = bytes.baseAddress else { return 0 }
      return unsafe readlink(
        "/proc/self/exe", base.assumingMemoryBound(to: CChar.self), bytes.count)
    }
    guard count > 0 else { return nil }
    var name = String(
      decoding: buffer[..<count].split(separator: UInt8(ascii: "/")).last ?? [], as: UTF8.self)
    // The kernel adds this suffix if the file was deleted or replaced after the program started.
    let mark = " (deleted)"
    if name.hasSuffix(mark) { name.removeLast(mark.count) }
    return SecretName.isPlain(name) ? name : nil
  }

  /// Returns the value of an environment variable.
  ///
  /// The result is `nil` if the variable is unset or empty. It is also `nil` if the program has
  /// more privileges than the user who started it (set-user-ID, set-group-ID, or file capabilities),
  /// because that user controls the environment.
  static func environment(_ name: String) -> String? {
    guard let value = unsafe secure_getenv(name) else { return nil }
    let text = unsafe String(cString: value)
    return text.isEmpty ? nil : text
  }
}
