internal import AccessModel

/// Every option, declared once: parsing, help, completion and the manual follow from it.
enum OptionName: String, CaseIterable, Hashable, Sendable {
  case read, write, search, list, create, quiet, probe, container, from, example, output, json, color, help, version

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
    case .search, .list, .create, .probe, .container, .example, .color: nil
    }
  }

  /// What its value is called in the help; `nil` for an option without one.
  var valueName: String? {
    switch self {
    case .from, .output: "FILE"
    case .color: "WHEN"
    case .container: "ENGINE"
    default: nil
    }
  }

  /// What it does, as one clause.
  var help: String {
    switch self {
    case .read: "ask for reading only, or with --write for both"
    case .write: "ask for writing only, or with --read for both"
    case .search: "ask for looking names up in a directory"
    case .list: "ask for reading the names in a directory"
    case .create: "ask for making a file: in a directory, or of that name"
    case .quiet: "print no answer, only set the exit status"
    case .probe: "open each device in question and see what comes of it; can wake a camera"
    case .container: "also say how a container or unit gets the device"
    case .from: "answer from this file instead of this machine; - is standard input"
    case .example: "explain the example snapshot that is built in"
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
