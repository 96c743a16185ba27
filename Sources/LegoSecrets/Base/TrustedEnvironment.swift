internal import CKeyring

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
