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
}
