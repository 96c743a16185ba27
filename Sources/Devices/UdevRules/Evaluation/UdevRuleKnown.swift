/// A value, or the reason why it cannot be predicted.
public enum UdevRuleKnown<Value: Hashable & Sendable>: Hashable, Sendable {
  /// The value.
  case value(Value)
  /// The reason why the value is unknown.
  case unknown(UdevRuleDoubt)

  /// The value; `nil` if it is unknown.
  public var known: Value? {
    guard case .value(let value) = self else { return nil }
    return value
  }

  /// The reason why the value is unknown; `nil` if it is known.
  public var doubt: UdevRuleDoubt? {
    guard case .unknown(let doubt) = self else { return nil }
    return doubt
  }

  /// Returns the value after a line that may or may not have replaced it with another one.
  func joined(_ other: UdevRuleKnown, _ doubt: UdevRuleDoubt) -> UdevRuleKnown {
    self == other ? self : .unknown(doubt)
  }
}

/// A reason why something cannot be predicted.
public enum UdevRuleDoubt: Hashable, Sendable {
  /// It depends on the result of a program, and programs are not run.
  case program(UdevRuleText)
  /// It depends on the result of a built-in command.
  case builtin(UdevRuleText)
  /// An attribute of a device was not observed.
  case attribute(UdevRuleText, device: UdevRuleText)
  /// An earlier line writes the attribute.
  case writtenAttribute(UdevRuleText)
  /// A kernel setting was not observed.
  case setting(UdevRuleText)
  /// A file was not observed.
  case file(UdevRuleText)
  /// The kernel command line was not observed.
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
  /// The order of several values can change from one event to the next.
  case order
  /// Stable releases of this version of systemd behave differently.
  case version
  /// It depends on the udevd process: only a new process counts former tags as current.
  case process
  /// An earlier line may or may not have taken effect.
  case line(UdevRulePlace)
}

/// A truth value that is uncertain if it depends on a fact that was not observed.
///
/// AccessModel has a similar type, `Ternary`. The decision of the kernel does not depend on this module.
enum UdevRuleCertainty: UInt8, Comparable {
  case no
  case maybe
  case yes

  init(_ value: Bool) {
    self = value ? .yes : .no
  }

  static func < (left: UdevRuleCertainty, right: UdevRuleCertainty) -> Bool {
    left.rawValue < right.rawValue
  }

  var negated: UdevRuleCertainty {
    switch self {
    case .no: .yes
    case .maybe: .maybe
    case .yes: .no
    }
  }

  func and(_ other: UdevRuleCertainty) -> UdevRuleCertainty {
    min(self, other)
  }
}
