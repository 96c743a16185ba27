@testable import DeviceAccessCommands

extension Invocation {
  /// The command that runs; `nil` for the version.
  var command: (any Command)? {
    if case .run(let command) = action { command } else { nil }
  }
}
