internal import AccessModel
internal import DevicePermissions
internal import Glibc
internal import LegoKit
internal import LinuxDevices

/// Finds the processes that use devices.
final class UsersAdaptor: Adaptor<CommandBlueprint> {
  @Contractor(\.deviceUsage) private var service: DeviceUsageService

  override func connect(
    _ design: CommandBlueprint.Design, on change: CommandBlueprint.Change
  ) -> AnyPublisher<CommandBlueprint.Change, Never> {
    guard case .findUsers(let targets) = change else { return .empty }
    let machine = service.machine
    return Future { promise in promise(.success(Self.answer(targets, on: machine))) }
      .eraseToAnyPublisher()
  }

  private static func answer(
    _ targets: [Question.Target], on machine: any Machine
  ) -> CommandBlueprint.Change {
    do throws(DeviceError) {
      var facts = try machine.use(of: targets)
      // Nobody asks who asks, and the terminal is always held by this program.
      if machine is LinuxMachine {
        for index in facts.devices.indices {
          facts.devices[index].holders.removeAll { $0.process.id == getpid() }
        }
      }
      return .foundUsers(facts)
    } catch {
      return .devices(.failed(error))
    }
  }
}
