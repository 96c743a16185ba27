internal import AccessModel
internal import DevicePermissions

/// The command-line options, each declared once for parsing, help and completions.
enum OptionName: String, CaseIterable, Hashable, Sendable {
  case read, write, append, execute, search, list, create, wait, quiet, verbose, probe, force
  case free, use, notify, exec, format
  case name, access, select, method, timeout
  case `for`, permanent, again, settle, overdue
  case dryRun = "dry-run"
  case user, pid, unit, groups
  case withCapabilities = "with-cap"
  case withoutCapabilities = "without-cap"
  case rule, action
  case container, from, example, redact, output, json, color, help, version

  /// The options that name a subject; at most one may be given.
  static let subjects: [OptionName] = [.user, .pid, .unit]
  /// The options that vary the subject.
  static let variations: [OptionName] = [.groups, .withCapabilities, .withoutCapabilities]

  /// The options that select the subject.
  static let subjectOptions = subjects + variations
  /// The options that select the access.
  static let accessOptions: [OptionName] = [
    .read, .write, .append, .execute, .search, .list, .create,
  ]
  /// The former names of options, which are still accepted.
  static let formerNames: [(spelling: String, option: OptionName)] = [("road", .method)]

  private static var methods: String {
    AccessMethod.allCases.map(\.rawValue).joined(separator: ", ")
  }

  /// The options that every command accepts.
  static let common: [OptionName] = [.color, .help, .version]

  /// The one-letter form; `nil` for an option without one.
  var letter: Character? {
    switch self {
    case .read: "r"
    case .write: "w"
    case .append: "a"
    case .execute: "x"
    case .verbose: "v"
    case .quiet: "q"
    case .from: "f"
    case .output: "o"
    case .json: "j"
    case .help: "h"
    case .version: "V"
    case .user: "u"
    case .pid: "p"
    case .unit: "U"
    case .groups: "G"
    case .search, .list, .create, .wait, .probe, .force, .container, .example, .redact, .color: nil
    case .free, .use, .notify, .exec, .format, .rule, .action: nil
    case .name, .access, .select, .method, .timeout: nil
    case .for, .permanent, .again, .settle, .overdue, .dryRun: nil
    case .withCapabilities, .withoutCapabilities: nil
    }
  }

  /// The name of the value in the help; `nil` for an option without a value.
  var valueName: String? {
    switch self {
    case .from, .output: "FILE"
    case .color: "WHEN"
    case .wait, .timeout: "SECONDS"
    case .access: "LEVEL"
    case .method: "METHOD"
    case .user: "NAME|UID"
    case .pid: "PID"
    case .name, .unit: "NAME"
    case .groups: "LIST"
    case .withCapabilities, .withoutCapabilities: "CAP,..."
    case .container: "ENGINE"
    case .exec: "COMMAND"
    case .format: "FORMAT"
    case .rule: "FILE[:LINE]"
    case .action: "ACTION"
    case .for: "TIME"
    case .again: "ID"
    default: nil
    }
  }

  /// A Boolean value that indicates whether the value is optional; if so, it must follow `=`.
  var valueIsOptional: Bool {
    self == .wait
  }

  /// Returns the help for the option in a command, as one clause.
  ///
  /// - Parameter command: The command; `nil` for the options that every command accepts.
  /// - Returns: The help.
  func help(in command: CommandName? = nil) -> String {
    switch (self, command) {
    case (.verbose, .users): "also show the path, age and descriptors of each program"
    case (.user, .grant): "the user who gets access"
    case (.user, .revoke): "end only the grants to this user"
    case (.probe, .list):
      """
      open each device (only cameras if KIND is not given) and report the result; this can wake a camera
      """
    case (.force, .request):
      "open the device even if opening has side effects, as with a watchdog"
    case (.read, .grant): "grant read access; with --write, read and write access together"
    case (.write, .grant): "grant write access; with --read, read and write access together"
    case (.read, .request): "open the device for reading; with --write, for both together"
    case (.write, .request): "open the device for writing; with --read, for both together"
    // In this command, standard input is the keyboard.
    case (.from, .top): "show the snapshot in FILE"
    case (.from, .decide): "read the cases from FILE (- for standard input)"
    case (.from, .rules):
      "use the rules and the device of the snapshot in FILE (- for standard input)"
    case (.json, .decide): "accepted; the output is always JSON"
    case (.json, .snapshot): "wrap each snapshot in a JSON object like those of other commands"
    default: help
    }
  }

  /// The default help for the option, as one clause.
  private var help: String {
    switch self {
    case .read: "check read access; with --write, read and write access together"
    case .write: "check write access; with --read, read and write access together"
    case .append: "check append access to a file"
    case .execute: "check execute access to a file"
    case .search: "check whether names in a directory can be looked up"
    case .list: "check whether the names in a directory can be listed"
    case .create:
      "check whether a file can be created in directory PATH, or as PATH if it does not exist"
    case .wait: "wait until access is allowed, at most SECONDS; without a number, forever"
    case .quiet: "print nothing; only set the exit status"
    case .verbose: "also show the evidence, every fix, and what was not observed"
    case .probe: "open each device and report the result; this can wake a camera"
    case .force:
      "with --probe: also open devices where opening has side effects, such as a watchdog"
    case .use: "report the programs that open and close cameras, microphones or the devices named"
    case .free:
      """
      report a device as refused while another program keeps it busy; with --wait, wait until it is free
      """
    case .notify:
      "like --use, and show a notification when a program starts or stops using a device"
    case .exec:
      """
      run COMMAND with sh -c for each line; it gets JSON on standard input and DEVACCESS_* variables
      """
    case .format: "like --use, in the format of a status bar; FORMAT is waybar"
    case .name: "use the camera or microphone with this name, as shown by 'devaccess list'"
    case .access: "for the album: add, or read-write, which is the default"
    case .select: "for the album: let the user choose files in a desktop dialog"
    case .method: "try only this method: \(Self.methods)"
    case .timeout: "wait for an answer at most SECONDS; 120 by default, and 600 with --select"
    case .for: "end the grant after TIME, such as 10min or '1h 30min'; the default is 1h"
    case .permanent: "keep the grant until it is revoked, using a udev rule for this device"
    case .again: "renew grant ID after the device was reconnected (used by udev rules)"
    case .settle:
      "with --again: repeat until no session switch has happened for two seconds"
    case .overdue: "end expired grants and re-arm the timers of the others"
    case .dryRun: "print the commands that would do the same, and change nothing"
    case .user: "answer for this user, as after a new login"
    case .pid: "answer for this running process"
    case .unit: "answer for this systemd service, as if it were started now"
    case .groups: "assume these supplementary groups (A,B), or add (+A) or remove (-A) one"
    case .withCapabilities: "assume that these capabilities are also effective"
    case .withoutCapabilities: "assume that these capabilities are dropped"
    case .rule:
      "explain only why the rules in FILE, or the rule at LINE, have no effect"
    case .action: "assume this event: add (the default), change, bind and so on"
    case .container: "also show how to pass the device to a container or unit"
    case .from: "answer from the snapshot in FILE (- for standard input)"
    case .example: "explain the built-in example"
    case .redact: "replace user names, home directories, serial numbers and similar data"
    case .output: "write to FILE instead of standard output"
    case .json: "print JSON instead of text, one object per line"
    case .color: "use colours: auto, always or never"
    case .help: "show this help"
    case .version: "show the version"
    }
  }
}
