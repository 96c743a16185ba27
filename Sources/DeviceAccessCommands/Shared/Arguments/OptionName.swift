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
    AccessRoad.allCases.map(\.rawValue).joined(separator: ", ")
  }

  /// The options that every command takes.
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

  /// A Boolean value that indicates whether the value is optional; a value then needs the sign `=`.
  var valueIsOptional: Bool {
    self == .wait
  }

  /// Returns the help for the option in a command, as one clause.
  ///
  /// - Parameter command: The command; `nil` for an option that every command takes.
  /// - Returns: The clause.
  func help(in command: CommandName? = nil) -> String {
    switch (self, command) {
    case (.verbose, .users): "also show the path, age and descriptors of each program"
    case (.user, .grant): "the user who gets access"
    case (.user, .revoke): "end only the grants to this user"
    case (.probe, .list):
      "open each device, without KIND only cameras, and report the result; this can wake a camera"
    case (.force, .request): "open it even if opening has an effect, as with a watchdog"
    // In this command, standard input is the keyboard.
    case (.from, .top): "show the snapshot in FILE"
    default: help
    }
  }

  /// The help that is the same in all commands, as one clause.
  private var help: String {
    switch self {
    case .read: "ask for read access; with --write, for both at once"
    case .write: "ask for write access; with --read, for both at once"
    case .append: "ask to append to a file"
    case .execute: "ask to execute a file"
    case .search: "ask to look up names in a directory"
    case .list: "ask to list the names in a directory"
    case .create: "ask to create a file: in the directory, or with that name"
    case .wait: "wait until access is allowed, at most SECONDS; without a number, forever"
    case .quiet: "print nothing; only set the exit status"
    case .verbose: "also show the evidence, every fix, and what was not observed"
    case .probe: "open each device and report the result; this can wake a camera"
    case .force: "with --probe: open a device that acts when it is opened, such as a watchdog"
    case .use: "report the programs that open and close cameras, microphones or the devices named"
    case .free: "answer refused while another program is in the way; with --wait, wait for its end"
    case .notify: "as --use, and show a notification when a program starts or stops using a device"
    case .exec: "run COMMAND with sh -c for each line, which it gets as JSON and in variables"
    case .format: "as --use, but print lines for a bar: waybar"
    case .name: "the camera or microphone that list shows with this name"
    case .access: "for the album: add, or read-write, which is the default"
    case .select: "for the album: let the user choose files in a dialog of the desktop"
    case .method: "try only this method: \(Self.methods)"
    case .timeout: "wait for an answer at most SECONDS; 120 by default, and 600 with --select"
    case .for: "end the grant after TIME, such as 10min or 1h 30min; the default is 1h"
    case .permanent: "write a udev rule for this very device, until the grant is revoked"
    case .again: "give a grant again on a device that came back; a udev rule calls this"
    case .settle: "with --again: continue until no session was switched for two seconds"
    case .overdue: "end the grants whose time is over, and set the timers of the others again"
    case .dryRun: "print the commands that would do the same, and change nothing"
    case .user: "answer for a new login of this user"
    case .pid: "answer for this running process"
    case .unit: "answer for this systemd service, as it would start"
    case .groups: "what if its groups were A,B? +A adds a group, -A removes one"
    case .withCapabilities: "what if these capabilities were also effective?"
    case .withoutCapabilities: "what if these capabilities were dropped?"
    case .rule: "print only why this rule, or this line of it, has no effect"
    case .action: "assume this event: add (the default), change, bind and so on"
    case .container: "also show how to give the device to a container or unit"
    case .from: "read from FILE; - is standard input"
    case .example: "explain the built-in example"
    case .redact: "replace names of users, home directories, serial numbers and the like"
    case .output: "write to FILE instead of standard output"
    case .json: "print one JSON object"
    case .color: "use colours: auto, always or never"
    case .help: "show this help"
    case .version: "show the version"
    }
  }
}
