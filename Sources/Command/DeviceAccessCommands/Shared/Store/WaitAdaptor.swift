internal import AccessModel
internal import DevicePermissions
internal import LegoKit
internal import LinuxDevices

/// Repeats a question until the goal of the wait is reached or the time is up.
final class WaitAdaptor: Adaptor<CommandBlueprint> {
  @Contractor(\.devices) private var service: DeviceService
  @Contractor(\.deviceUsage) private var usage: DeviceUsageService
  private let executor: (any TaskExecutor)?

  /// Creates an adaptor.
  ///
  /// - Parameter executor: The executor for observations; `nil` for the system's thread pool.
  init(executor: (any TaskExecutor)?) { self.executor = executor }

  override func effect(
    _ design: CommandBlueprint.Design, on change: CommandBlueprint.Change
  ) -> Effect<CommandBlueprint.Change> {
    guard case .wait(let question, let goal) = change else { return .none }
    let wait = Wait(question: question, goal: goal, service: service, usage: usage)
    return .run(executor: executor) { send in
      do throws(DeviceError) {
        try await wait.run { send(.waited($0)) }
      } catch {
        send(.devices(.failed(error)))
      }
    }
  }
}
