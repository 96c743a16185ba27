internal import AccessModel

/// Every option, declared once: parsing, help, completion and the manual follow from it.
enum OptionName: String, CaseIterable, Hashable, Sendable {
  case read, write, search, list, create, wait, quiet, probe, user, pid, unit, groups
  case withCapabilities = "with-cap"
  case withoutCapabilities = "without-cap"
  case container, from, example, redact, output, json, color, help, version

  /// The options that name a subject; at most one may be given.
  static let subjects: [OptionName] = [.user, .pid, .unit]
  /// The options that vary the subject.
  static let variations: [OptionName] = [.groups, .withCapabilities, .withoutCapabilities]

  /// The one-letter form.
  var letter: Character? {
    switch self {
    case .read: "r"
    case .write: "w"
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
    case .search, .list, .create, .wait, .probe, .container, .example, .redact, .color: nil
    case .withCapabilities, .withoutCapabilities: nil
    }
  }

  /// What its value is called in the help; `nil` for an option without one.
  var valueName: String? {
    switch self {
    case .from, .output: "FILE"
    case .color: "WHEN"
    case .wait: "SECONDS"
    case .user: "NAME|UID"
    case .pid: "PID"
    case .unit: "NAME"
    case .groups: "LIST"
    case .withCapabilities, .withoutCapabilities: "CAP,..."
    case .container: "ENGINE"
    default: nil
    }
  }

  /// Whether the value may be left out; it then needs the sign `=`.
  var valueIsOptional: Bool {
    self == .wait
  }

  /// What it does, as one clause.
  var help: String {
    switch self {
    case .read: "ask for reading only, or with --write for both"
    case .write: "ask for writing only, or with --read for both"
    case .search: "ask for looking names up in a directory"
    case .list: "ask for reading the names in a directory"
    case .create: "ask for making a file: in a directory, or of that name"
    case .wait: "wait until it is allowed, for so long at most; without SECONDS for ever"
    case .quiet: "print no answer, only set the exit status"
    case .probe: "open each device in question and see what comes of it; can wake a camera"
    case .user: "answer for a new login of this user"
    case .pid: "answer for this running process"
    case .unit: "answer for this systemd service, as it would be started"
    case .groups: "what if its groups were a,b; or +a,-b: with a, without b"
    case .withCapabilities: "what if it also had these capabilities"
    case .withoutCapabilities: "what if it did not have these capabilities"
    case .container: "also say how a container or unit gets the device"
    case .from: "answer from this file instead of this machine; - is standard input"
    case .example: "explain the example snapshot that is built in"
    case .redact: "put stand-ins for names of people, homes, serial numbers and the like"
    case .output: "write to this file instead of standard output"
    case .json: "print one JSON object"
    case .color: "use colours: auto, always or never"
    case .help: "show this help"
    case .version: "show the version"
    }
  }

  /// The words that its value may be; empty when it is a file.
  var values: [String] {
    switch self {
    case .color: Style.ColorChoice.allCases.map(\.rawValue)
    case .container: ContainerEngine.allCases.map(\.rawValue)
    default: []
    }
  }
}
