/// How far the kernel keeps root from itself (kernel_lockdown(7)), from the least to the most.
public enum LockdownLevel: String, Hashable, Sendable, Codable, CaseIterable, Comparable {
  /// Not at all.
  case off = "none"
  /// Nothing may change the running kernel, as with Secure Boot.
  case integrity
  /// Nothing may read what the kernel keeps secret, either.
  case confidentiality

  /// Reads the text of `/sys/kernel/security/lockdown`, where the level in force is in brackets.
  package init?(marked text: String) {
    guard let level = Self.allCases.first(where: { text.contains("[\($0.rawValue)]") }) else {
      return nil
    }
    self = level
  }

  public static func < (left: Self, right: Self) -> Bool {
    left != right && (left == .off || right == .confidentiality)
  }
}
