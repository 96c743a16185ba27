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
