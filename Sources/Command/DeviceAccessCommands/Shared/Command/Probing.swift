internal import AccessModel
internal import LinuxDevices

/// The devices that a command opens.
enum Probing: Hashable, Sendable {
  /// No device is opened.
  case none
  /// Devices are opened, except those where opening has side effects and requires `--force`.
  case cautious
  /// Every device is opened.
  case forced

  init(_ arguments: CommandArguments) {
    self = !arguments.contains(.probe) ? .none : arguments.contains(.force) ? .forced : .cautious
  }

  var isOn: Bool { self != .none }
}

extension CommandRun {
  /// Reports the side effects of opening devices, and the devices that are not opened.
  ///
  /// The reports are written to standard error.
  ///
  /// - Parameters:
  ///   - facts: The facts before the devices are opened.
  ///   - isList: `true` if every device of the kind is opened.
  ///   - probing: The devices that the command opens.
  func reportOpening(of facts: AccessFacts, isList: Bool, _ probing: Probing) {
    let most = 8
    let effects = facts.openingEffects(isList: isList)
    for (path, effect) in effects.prefix(most) {
      let path = Escaped(path, limit: 4096)
      streams.report(
        effect.needsForce && probing != .forced
          ? "\(path) was not opened, because opening it \(effect.words); --force opens it"
          : "opening \(path) \(effect.words)")
    }
    if effects.count > most {
      streams.report("\(effects.count - most) more devices of this kind have such an effect")
    }
  }
}
