internal import CKeyring
internal import Glibc

/// The name of the running program.
enum ProgramName {
  /// The name of the executable's file, or `nil` where that cannot be a name of a secret's program.
  static var current: String? {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = unsafe buffer.withUnsafeMutableBytes { bytes -> Int in
      guard let base = bytes.baseAddress else { return 0 }
      return unsafe readlink(
        "/proc/self/exe", base.assumingMemoryBound(to: CChar.self), bytes.count)
    }
    guard count > 0 else { return nil }
    var name = String(
      decoding: buffer[..<count].split(separator: UInt8(ascii: "/")).last ?? [], as: UTF8.self)
    // The kernel adds this where the file was replaced since the program was started.
    let mark = " (deleted)"
    if name.hasSuffix(mark) { name.removeLast(mark.count) }
    return SecretName.isPlain(name) ? name : nil
  }
}

/// The environment, where it may be believed.
enum TrustedEnvironment {
  /// The value of a variable, unless it is empty or the program runs with other rights than those of
  /// the user who chose it (set-user-ID, file capabilities).
  static func value(_ name: String) -> String? {
    guard let value = unsafe secure_getenv(name) else { return nil }
    let text = unsafe String(cString: value)
    return text.isEmpty ? nil : text
  }
}
