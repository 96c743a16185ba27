internal import AccessModel
internal import DevicePermissions
internal import LegoKit

/// The store of a command: what was asked, answered and failed.
struct CommandBlueprint: Blueprint {
  struct Design: Equatable, Sendable {
    var devices = DeviceBlueprint.Design()
    /// Every question that was answered, in order.
    var answers: [Answer] = []
    /// The answer to the last case.
    var caseAnswer: CaseAnswer?
  }

  enum Change: Equatable, Sendable {
    case devices(DeviceBlueprint.Change)
    /// Explains facts that were observed before, perhaps on another machine.
    case examine(AccessFacts)
    /// Decides a bare case.
    case decide(AccessCase)
    /// Asks the drivers of the listed devices what they are.
    case probe(DeviceKind)
    /// Opens the device of an answer once, and explains it again.
    case attempt(Answer)
  }

  @Brick(\.devices) private var devices: DeviceBlueprint

  func change(_ design: inout Design, on change: Change) {
    switch change {
    case .devices(let deviceChange):
      devices.change(&design.devices, on: deviceChange)
      if case .explained(let explanation, let facts) = deviceChange {
        design.answers.append(Answer(facts: facts, explanation: explanation))
      }
    case .examine(let facts):
      design.answers.append(Answer(facts: facts, explanation: facts.explain()))
    case .decide(let access):
      design.caseAnswer = CaseAnswer(id: access.id, access.decide())
    case .probe, .attempt:
      break
    }
  }
}
