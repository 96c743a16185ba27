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
  /// Tags of earlier events count in a new process of udevd, and not in one that waited for events.
  case process
  /// An earlier line may or may not have taken effect.
  case line(UdevRulePlace)
}
