/// How long `check --wait` waits.
enum WaitLimit: Hashable, Sendable {
  /// Until access is allowed.
  case forever
  case seconds(Double)

  /// A year; a longer wait is as good as forever.
  static let longest = 31_536_000.0

  /// Understands the option's value; none means forever.
  ///
  /// - Throws: ``UsageError`` for anything but a number of seconds.
  init(_ text: String?) throws(UsageError) {
    guard let text else {
      self = .forever
      return
    }
    guard Self.isNumber(text), let seconds = Double(text), seconds <= Self.longest else {
      throw UsageError(
        "--wait takes a number of seconds from 0 to \(Int(Self.longest)), "
          + "not '\(Escaped(text, limit: 80))'",
        command: .check)
    }
    self = .seconds(seconds)
  }

  /// Whether a word is digits with at most one point: no sign, no exponent, no "inf" or "nan".
  static func isNumber(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 == UInt8(ascii: ".") || (0x30...0x39).contains($0) }
      && Double(text) != nil
  }

  /// The time; `nil` for none.
  var duration: Duration? {
    switch self {
    case .forever: nil
    case .seconds(let seconds): .seconds(seconds)
    }
  }
}
