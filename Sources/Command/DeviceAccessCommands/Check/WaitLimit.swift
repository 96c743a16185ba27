/// The time limit of `check --wait`.
enum WaitLimit: Hashable, Sendable {
  /// The command waits until access is allowed.
  case forever
  case seconds(Double)

  /// The longest limit that the option accepts, which is one year.
  static let longest = 31_536_000.0

  /// Parses the value of the option; without a value, the limit is ``forever``.
  ///
  /// - Throws: ``UsageError`` if the value is not a number of seconds or exceeds ``longest``.
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

  /// Returns `true` if a word consists of digits and at most one decimal point.
  ///
  /// Signs, exponents, `inf` and `nan` are not accepted.
  static func isNumber(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 == UInt8(ascii: ".") || (0x30...0x39).contains($0) }
      && Double(text) != nil
  }

  /// The limit as a duration; `nil` for ``forever``.
  var duration: Duration? {
    switch self {
    case .forever: nil
    case .seconds(let seconds): .seconds(seconds)
    }
  }
}
