internal import AccessModel
internal import LinuxDevices

/// Whether a command opens the devices in question.
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
  /// Says on standard error what opening devices does by itself, and which devices stay closed.
  ///
  /// - Parameters:
  ///   - facts: The facts before the devices are opened.
  ///   - isList: Whether every device of the kind is opened.
  ///   - probing: Whether devices that act are opened, too.
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
