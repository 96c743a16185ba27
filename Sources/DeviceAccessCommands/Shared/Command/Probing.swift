internal import AccessModel
internal import LinuxDevices

/// The devices that a command opens.
enum Probing: Hashable, Sendable {
  /// Nothing is opened.
  case none
  /// Devices are opened, except those that act when they are opened.
  case cautious
  /// Every device is opened.
  case forced

  init(_ arguments: CommandArguments) {
    self = !arguments.contains(.probe) ? .none : arguments.contains(.force) ? .forced : .cautious
  }

  var isOn: Bool { self != .none }
}

extension CommandRun {
  /// Reports side effects of opening devices, and devices that stay closed, on standard error.
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
