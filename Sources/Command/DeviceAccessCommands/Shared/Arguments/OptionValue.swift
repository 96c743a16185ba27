internal import AccessModel
internal import DevicePermissions

/// The kind of an option's value, which a shell uses to complete it.
enum OptionValue: Hashable, Sendable {
  case file, user, process, unit, groups, capabilities
  /// A udev rules file, or a directory that may contain one.
  case ruleFile
  /// A number or a name that no shell can complete.
  case unlisted
  /// One of these words.
  case words([String])
}

extension OptionName {
  /// The kind of the option's value; `nil` for an option without one.
  var value: OptionValue? {
    switch self {
    case .from, .output, .exec: .file
    case .rule: .ruleFile
    case .format: .words(WatchFormat.allCases.map(\.rawValue))
    case .action: .words(RulesAction.words)
    case .user: .user
    case .pid: .process
    case .unit: .unit
    case .groups: .groups
    case .withCapabilities, .withoutCapabilities: .capabilities
    case .wait, .timeout, .again, .name: .unlisted
    case .for: .words(["10min", "1h", "1d"])
    case .access: .words(AlbumAccessLevel.allCases.map(\.word))
    case .method: .words(AccessMethod.allCases.map(\.rawValue))
    case .color: .words(Style.ColorChoice.allCases.map(\.rawValue))
    case .container: .words(ContainerEngine.allCases.map(\.rawValue))
    default: nil
    }
  }

  /// Returns the option in quotes for an error, such as `'--execute'` or `'-x' (--execute)`.
  ///
  /// - Parameter asLetter: `true` if the user typed the letter.
  /// - Returns: The quoted option.
  func typed(_ asLetter: Bool) -> String {
    guard asLetter, let letter else { return "'--\(rawValue)'" }
    return "'-\(letter)' (--\(rawValue))"
  }

  /// The noun for the subject that the option names.
  var subject: String {
    switch self {
    case .user: "user"
    case .pid: "process"
    default: "unit"
    }
  }

  /// The option as the user types it, with `=` if a value is required.
  var spelling: String {
    "--\(rawValue)" + (value == nil || valueIsOptional ? "" : "=")
  }
}

extension Operand {
  /// The words that the operand accepts.
  var words: [String] {
    switch self {
    case .none: []
    case .requestedOrPath: [DeviceKind.camera, .microphone, .album].map(\.name)
    case .optionalKind, .deviceOrPath, .devicesOrPaths:
      DeviceKind.all.filter { $0.subsystem != nil }.map(\.name)
    case .kindOrPath, .grantKindOrPath, .kindsOrPaths, .optionalKinds, .optionalKindsOrPaths:
      DeviceKind.all.map(\.name)
    case .shell: Shell.allCases.map(\.rawValue)
    case .optionalTopic:
      CommandName.allCases.map(\.rawValue) + CauseCode.allCases.map(\.rawValue)
    }
  }
}

extension AlbumAccessLevel {
  /// The word for the level as a value of `--access`.
  var word: String {
    switch self {
    case .addOnly: "add"
    case .readWrite: "read-write"
    }
  }

  /// Creates a level from its word; returns `nil` if no level has this word.
  init?(word: String) {
    guard let level = Self.allCases.first(where: { $0.word == word }) else { return nil }
    self = level
  }
}

/// The actions of udev events.
enum RulesAction {
  static let words = [
    "add", "change", "remove", "move", "online", "offline", "bind", "unbind",
  ]
}

/// A shell for which completions can be generated.
enum Shell: String, CaseIterable, Hashable, Sendable {
  case bash, zsh, fish
}

/// The values of `devaccess watch --format`.
enum WatchFormat: String, CaseIterable, Sendable {
  /// The JSON format for a custom module of Waybar.
  case waybar
}
