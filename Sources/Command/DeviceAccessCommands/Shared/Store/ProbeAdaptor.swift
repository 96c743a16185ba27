internal import AccessModel
internal import DevicePermissions
internal import LegoKit
internal import LinuxDevices

/// Opens the devices in question when a `probe` change requests it.
final class ProbeAdaptor: Adaptor<CommandBlueprint> {
  @Contractor(\.devices) private var service: DeviceService

  override func connect(
    _ design: CommandBlueprint.Design, on change: CommandBlueprint.Change
  ) -> AnyPublisher<CommandBlueprint.Change, Never> {
    guard case .probe(let facts, let isList, let isForced) = change else { return .empty }
    let machine = service.machine
    return Future { promise in
      promise(
        .success(.examine(machine.probed(facts, isList: isList, isForced: isForced))))
    }
    .eraseToAnyPublisher()
  }
}
