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
      do throws(DeviceError) {
        for try await change in service.changes(to: [question], for: limit) {
          var answer = ExplainedFacts(facts: change.facts, explanation: change.explanation)
          if answer.explanation.answer == .allowed {
            // A grant can be gone when its event has come. What is told is what holds now; that it
            // is gone is the next answer.
            let facts = try await service.facts(for: question)
            answer = ExplainedFacts(facts: facts, explanation: facts.explain())
            guard answer.explanation.answer == .allowed else { continue }
          }
          send(.waited(answer))
          if answer.explanation.answer == .allowed { return }
        }
      } catch {
        send(.devices(.failed(error)))
      }
    }
  }
}
