/// The degree to which lockdown restricts root, in ascending order (kernel_lockdown(7)).
public enum LockdownLevel: String, Hashable, Sendable, Codable, CaseIterable, Comparable {
  /// The kernel is not locked down.
  case off = "none"
  /// No program can modify the running kernel, as with Secure Boot.
  case integrity
  /// In addition, no program can read confidential data of the kernel.
  case confidentiality

  /// Creates the level that `/sys/kernel/security/lockdown` shows in brackets; `nil` for any other
  /// text.
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
