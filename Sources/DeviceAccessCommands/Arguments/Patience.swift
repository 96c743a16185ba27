/// How long `check --wait` waits.
enum Patience: Hashable, Sendable {
  /// Until access is allowed.
  case forever
  case seconds(Double)

  /// A year; whoever waits longer means forever.
  static let longest = 31_536_000.0

  /// Understands the option's value; none means forever.
  ///
  /// - Throws: ``UsageError`` for anything but a number of seconds.
  init(_ text: String?) throws(UsageError) {
    guard let text else {
      self = .forever
      return
    }
    // Digits and one point: no sign, no exponent, no "inf" or "nan".
    guard text.utf8.allSatisfy({ $0 == UInt8(ascii: ".") || (0x30...0x39).contains($0) }),
      let seconds = Double(text), seconds <= Self.longest
    else {
      throw UsageError(
        "--wait takes seconds, from 0 to \(Int(Self.longest)), not '\(Escaped(text, limit: 80))'",
        command: .check)
    }
    self = .seconds(seconds)
  }

  /// The limit; `nil` for none.
  var limit: Duration? {
    switch self {
    case .forever: nil
    case .seconds(let seconds): .seconds(seconds)
    }
  }
}
