/// The operands that a command accepts.
enum Operand: Hashable, Sendable {
  case none
  /// An optional kind of device.
  case optionalKind
  /// Any number of kinds, including directories such as the album.
  case optionalKinds
  /// A kind or a path; optional if an option such as `--from` replaces it.
  case kindOrPath
  /// A kind of device or the path of a device; optional if an option such as `--from` replaces it.
  case deviceOrPath
  /// A kind that can be requested, or a path.
  case requestedOrPath
  /// The identifier of a grant, a kind or a path.
  case grantKindOrPath
  /// One or more kinds or paths.
  case kindsOrPaths
  /// Any number of kinds or paths.
  case optionalKindsOrPaths
  /// Any number of kinds of device or paths of devices.
  case devicesOrPaths
  /// The name of a shell.
  case shell
  /// The optional name of a command, or code of a cause.
  case optionalTopic

  /// The notation for the operands in the help.
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

  /// A Boolean value that indicates whether an operand can be a path.
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
