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

  /// Finds the users of the devices that can be inspected, and collects the errors for the others.
  ///
  /// If the only target cannot be inspected, the change reports its error as a failure.
  private static func answer(
    _ targets: [Question.Target], on machine: any Machine
  ) -> CommandBlueprint.Change {
    var rest = targets
    var failures: [DeviceError] = []
    while true {
      do throws(DeviceError) {
        return .foundUsers(try machine.useByOthers(of: rest), failures: failures)
      } catch {
        guard targets.count > 1, let index = rest.firstIndex(where: { error.isAbout($0) }) else {
          return .devices(.failed(error))
        }
        rest.remove(at: index)
        failures.append(error)
      }
    }
  }
}

extension DeviceError {
  /// Returns whether the error is about the path of the target.
  fileprivate func isAbout(_ target: Question.Target) -> Bool {
    guard case .path(let typed) = target, let path else { return false }
    return path == typed || (try? LinuxMachine.absolute([target])) == [.path(path)]
  }
}
