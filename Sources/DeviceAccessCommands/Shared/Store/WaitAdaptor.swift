internal import AccessModel
internal import DevicePermissions
internal import LegoKit
internal import LinuxDevices

/// Looks at what was asked about until it is allowed or the time is up.
final class WaitAdaptor: Adaptor<CommandBlueprint> {
  @Contractor(\.devices) private var service: DeviceService

  override func effect(
    _ design: CommandBlueprint.Design, on change: CommandBlueprint.Change
  ) -> Effect<CommandBlueprint.Change> {
    guard case .wait(let question, let limit) = change else { return .none }
    let service = service
    return .run { send in
      do {
        for try await facts in service.observations(of: question, for: limit) {
          let answer = ExplainedFacts(facts: facts, explanation: facts.explain())
          send(.waited(answer))
          if answer.explanation.answer == .allowed { return }
        }
      } catch {
        if let error = error as? DeviceError { send(.devices(.failed(error))) }
      }
    }
  }
}
