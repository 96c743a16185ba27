internal import AccessModel
internal import DevicePermissions
internal import LegoKit
internal import LinuxDevices

/// Asks the drivers of listed devices what they are, which opens each of them.
///
/// A device that cannot be opened keeps what udev says of it.
final class ProbeAdaptor: Adaptor<CommandBlueprint> {
  @Contractor(\.devices) private var service: DeviceService

  override func connect(
    _ design: CommandBlueprint.Design, on change: CommandBlueprint.Change
  ) -> AnyPublisher<CommandBlueprint.Change, Never> {
    if case .attempt(let answer) = change { return attempt(answer) }
    guard case .probe(let kind) = change, let machine = service.machine as? LinuxMachine,
      var listings = design.devices.listings[kind]
    else { return .empty }
    return Future { promise in
      for index in listings.indices {
        if let device = try? machine.probe(listings[index].device) {
          listings[index].device = device
        }
      }
      promise(.success(.devices(.listed(kind, listings))))
    }
    .eraseToAnyPublisher()
  }

  /// Opens the device that was decided about; anything else stays closed.
  private func attempt(_ answer: Examination) -> AnyPublisher<CommandBlueprint.Change, Never> {
    let explanation = answer.explanation
    guard let machine = service.machine as? LinuxMachine,
      let node = explanation.decision.steps.last?.node, node.type.isDevice
    else { return .empty }
    return Future { promise in
      var facts = answer.facts
      if let attempt = machine.attempt(
        toOpen: node.path, askedAs: explanation.path, for: explanation.wanted)
      {
        facts.attempts.append(attempt)
      }
      promise(.success(.examine(facts)))
    }
    .eraseToAnyPublisher()
  }
}
