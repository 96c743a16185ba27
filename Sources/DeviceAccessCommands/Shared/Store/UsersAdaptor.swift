internal import AccessModel
internal import DevicePermissions
internal import LegoKit
internal import LinuxDevices

/// Finds the processes that use devices.
final class UsersAdaptor: Adaptor<CommandBlueprint> {
  @Contractor(\.deviceUsage) private var service: DeviceUsageService

  override func connect(
    _ design: CommandBlueprint.Design, on change: CommandBlueprint.Change
  ) -> AnyPublisher<CommandBlueprint.Change, Never> {
    let machine = service.machine
    switch change {
    case .findUsers(let targets):
      return Future { promise in promise(.success(Self.answer(targets, on: machine))) }
        .eraseToAnyPublisher()
    case .observeUse(let facts):
      return Future { promise in promise(.success(.examine(machine.observingUse(in: facts)))) }
        .eraseToAnyPublisher()
    default:
      return .empty
    }
  }

  private static func answer(
    _ targets: [Question.Target], on machine: any Machine
  ) -> CommandBlueprint.Change {
    do throws(DeviceError) {
      return .foundUsers(try machine.useByOthers(of: targets))
    } catch {
      return .devices(.failed(error))
    }
  }
}
