internal import AccessModel
internal import DevicePermissions
internal import LegoKit
internal import LinuxDevices

/// The store of a command, which holds the observed facts, the answers and the failures.
struct CommandBlueprint: Blueprint {
  struct Design: Equatable, Sendable {
    var devices = DeviceBlueprint.Design()
    /// The answers, oldest first; a wait or a stream of snapshots keeps only the latest.
    var answers: [ExplainedFacts] = []
    /// The facts behind the latest answer whose changes no event reports, during a wait.
    var gaps: [Unobserved] = []
    /// The answers to the latest batch of cases.
    var caseAnswers: [CaseAnswer] = []
    /// The result of the latest search for users of devices.
    var use: UseFacts?
    /// The errors for devices that this search could not inspect.
    var useFailures: [DeviceError] = []
    var grants = GrantBlueprint.Design()

    /// The latest answer during a wait.
    var waited: WaitedAnswer? { answers.last.map { WaitedAnswer(answer: $0, gaps: gaps) } }
  }

  enum Change: Equatable, Sendable {
    case devices(DeviceBlueprint.Change)
    case grants(GrantBlueprint.Change)
    /// Explains facts that were observed earlier, perhaps on another machine.
    case examine(AccessFacts)
    /// Decides cases, without an explanation.
    case decide([AccessCase])
    /// Opens each device in question once, and explains the facts again.
    case probe(AccessFacts, isList: Bool, isForced: Bool)
    /// Repeats the question until the goal is reached or the time is up.
    case wait(Question, WaitGoal)
    /// Replaces the answers with the latest one during a wait.
    case waited(WaitedAnswer)
    /// Finds the users of devices.
    case findUsers([Question.Target])
    /// Stores the result of ``findUsers(_:)``.
    case foundUsers(UseFacts, failures: [DeviceError])
    /// Finds the users of the devices in question, and explains the facts again.
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
      // A stream of snapshots may be endless, and each answer is shown before the next one.
      design.answers = [ExplainedFacts(facts: facts, explanation: facts.explain())]
    case .decide(let cases):
      design.caseAnswers = cases.map { $0.answer() }
    case .waited(let waited):
      // Earlier answers are no longer needed, and a wait can last for days.
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
