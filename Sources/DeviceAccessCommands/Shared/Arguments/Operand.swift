/// What a command takes beside its options.
enum Operand: Hashable, Sendable {
  case none
  /// A kind of device, which may be left out.
  case optionalKind
  /// Kinds of device, or the album; may be left out.
  case optionalKinds
  /// A kind of device or a path; optional where an option says what to answer instead.
  case kindOrPath
  /// A kind of device or the path of a device; optional as before.
  case deviceOrPath
  /// A kind that can be asked for, or a path.
  case requestedOrPath
  /// The identifier of a grant, a kind of device or a path.
  case grantKindOrPath
  /// One or more kinds of device or paths.
  case kindsOrPaths
  /// Kinds of device or paths, which may be left out.
  case optionalKindsOrPaths
  /// Kinds of device or paths of devices, which may be left out.
  case devicesOrPaths
  /// The name of a shell.
  case shell
  /// The name of a command, or the code of a cause; may be left out.
  case optionalTopic

  /// How the help shows it.
  var text: String {
    switch self {
    case .none: ""
    case .optionalKind: "[KIND]"
    case .optionalKinds: "[KIND...]"
    case .kindOrPath, .deviceOrPath: "KIND|PATH"
    case .requestedOrPath: "KIND|PATH"
    case .grantKindOrPath: "ID|KIND|PATH"
    case .kindsOrPaths: "KIND|PATH..."
    case .devicesOrPaths, .optionalKindsOrPaths: "[KIND|PATH...]"
    case .shell: "SHELL"
    case .optionalTopic: "[COMMAND|CAUSE]"
    }
  }

  /// Whether it can be a path.
  var takesPaths: Bool {
    switch self {
    case .kindOrPath, .deviceOrPath, .requestedOrPath, .grantKindOrPath, .kindsOrPaths,
      .devicesOrPaths,
      .optionalKindsOrPaths:
      true
    case .none, .optionalKind, .optionalKinds, .shell, .optionalTopic: false
    }
  }
}
