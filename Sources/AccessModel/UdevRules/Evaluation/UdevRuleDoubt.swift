/// Why something cannot be predicted.
public enum UdevRuleDoubt: Hashable, Sendable {
  /// It depends on what a program does; programs are not run.
  case program(UdevRuleText)
  /// It depends on a command inside udevd.
  case builtin(UdevRuleText)
  /// An attribute of a device was not observed.
  case attribute(UdevRuleText, device: UdevRuleText)
  /// An attribute is written by an earlier line.
  case writtenAttribute(UdevRuleText)
  /// A setting of the kernel was not observed.
  case setting(UdevRuleText)
  /// A file was not observed.
  case file(UdevRuleText)
  /// The command line of the kernel was not observed.
  case commandLine
  /// A constant was not observed.
  case constant(UdevRuleText)
  /// Another device was not observed.
  case device(UdevRuleText)
  /// The database was not observed.
  case database
  /// A user was not looked up.
  case user(UdevRuleText)
  /// A group was not looked up.
  case group(UdevRuleText)
  /// Several values have no order that is the same each time.
  case order
  /// Stable releases of this version of systemd differ.
  case version
  /// An earlier line may or may not have taken effect.
  case line(UdevRulePlace)
}

/// A line of a rules file.
public struct UdevRulePlace: Hashable, Sendable, CustomStringConvertible {
  /// The path of the file.
  public let path: String
  /// The first line that it was written on, counted from 1.
  public let line: Int

  /// Names a line.
  public init(path: String, line: Int) {
    self.path = path
    self.line = line
  }

  /// The path, a colon and the number.
  public var description: String { "\(path):\(line)" }
}

/// A value, or why it cannot be predicted.
public enum UdevRuleKnown<Value: Hashable & Sendable>: Hashable, Sendable {
  /// The value.
  case value(Value)
  /// Why there is no telling.
  case unknown(UdevRuleDoubt)

  /// The value, if it is known.
  public var known: Value? {
    guard case .value(let value) = self else { return nil }
    return value
  }

  /// Why it is not known.
  public var doubt: UdevRuleDoubt? {
    guard case .unknown(let doubt) = self else { return nil }
    return doubt
  }

  /// The value after a line that may or may not have set another one.
  func joined(_ other: UdevRuleKnown, _ doubt: UdevRuleDoubt) -> UdevRuleKnown {
    self == other ? self : .unknown(doubt)
  }
}
