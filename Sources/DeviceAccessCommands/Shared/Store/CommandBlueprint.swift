internal import AccessModel
internal import DevicePermissions
internal import LegoKit
internal import LinuxDevices

/// The store of a command: what was asked, answered and failed.
struct CommandBlueprint: Blueprint {
  struct Design: Equatable, Sendable {
    var devices = DeviceBlueprint.Design()
    /// Every question that was answered, in order.
    var answers: [ExplainedFacts] = []
    /// What could change the latest answer without an event, while waiting.
    var gaps: [Unobserved] = []
    /// The answers to the last cases.
    var caseAnswers: [CaseAnswer] = []
    /// Who uses the devices that were last asked about.
    var use: UseFacts?
    /// Why some of several could not be looked at.
    var useFailures: [DeviceError] = []
    var grants = GrantBlueprint.Design()

    /// The latest answer while waiting.
    var waited: WaitedAnswer? { answers.last.map { WaitedAnswer(answer: $0, gaps: gaps) } }
  }

  enum Change: Equatable, Sendable {
    case devices(DeviceBlueprint.Change)
    case grants(GrantBlueprint.Change)
    /// Explains facts that were observed before, perhaps on another machine.
    case examine(AccessFacts)
    /// Decides bare cases.
    case decide([AccessCase])
    /// Opens each device in question once, and explains the facts again.
    case probe(AccessFacts, isList: Bool, isForced: Bool)
    /// Answers again and again, until the goal is reached or the time is up.
    case wait(Question, WaitGoal)
    /// The latest answer while waiting.
    case waited(WaitedAnswer)
    /// Asks who uses devices.
    case findUsers([Question.Target])
    /// Answers ``findUsers(_:)``.
    case foundUsers(UseFacts, failures: [DeviceError])
    /// Finds out who uses the devices in question, and explains the facts again.
    case observeUse(AccessFacts)

    var devices: DeviceBlueprint.Change? {
      if case .devices(let change) = self { change } else { nil }
    }

    var grants: GrantBlueprint.Change? {
      if case .grants(let change) = self { change } else { nil }
    }
  }

  @Brick(\.devices) private var devices: DeviceBlueprint

  func change(_ design: inout Design, on change: Change) {
    switch change {
    case .devices(let deviceChange):
      devices.change(&design.devices, on: deviceChange)
      if case .explained(let explanation, let facts) = deviceChange {
        design.answers.append(ExplainedFacts(facts: facts, explanation: explanation))
      }
    case .grants(let change):
      GrantBlueprint().change(&design.grants, on: change)
    case .examine(let facts):
      // A stream of them has no end, and each is shown before the next.
      design.answers = [ExplainedFacts(facts: facts, explanation: facts.explain())]
    case .decide(let cases):
      design.caseAnswers = cases.map { $0.answer() }
    case .waited(let waited):
      // The reason of before is of no use any more, and waiting can take days.
      design.answers = [waited.answer]
      design.gaps = waited.gaps
    case .foundUsers(let facts, let failures):
      design.use = facts
      design.useFailures = failures
    case .probe, .wait, .findUsers, .observeUse:
      break
    }
  }
}
