internal import AccessModel
internal import DevicePermissions
internal import LegoKit
internal import LinuxDevices

/// Keeps a ``TopDesign`` true: it follows the devices, and the answer that is shown in detail.
final class TopAdaptor: ComparingAdaptor<TopBlueprint> {
  private let questions: [TopQuestion]

  /// - Parameter questions: What the list is about.
  init(_ questions: [TopQuestion]) {
    self.questions = questions
  }

  override var follows: [Follow<TopBlueprint>] {
    let questions = questions
    return [
      Follow(\.lookRequest) { _ in .run { send in await Self.look(at: questions, send) } },
      Follow(\.detailQuestion) { question in
        guard let question else { return .none }
        return .run { send in await Self.explain(question, send) }
      },
    ]
  }

  /// Looks for users when the design asks for it, and not more often than people can read.
  override func effect(
    from before: TopDesign, to after: TopDesign, on change: TopBlueprint.Change
  ) -> Effect<TopBlueprint.Change> {
    guard before.usersRequest != after.usersRequest else { return .none }
    let targets = Self.targets(of: questions, in: after.rows)
    guard !targets.isEmpty else { return .none }
    return Effect.run { send in Self.findUsers(of: targets, send) }
      .throttle(id: UsersLook(), for: .milliseconds(250), latest: true)
  }

  private struct UsersLook: Hashable {}

  private static func look(
    at questions: [TopQuestion], _ send: Send<TopBlueprint.Change>
  ) async {
    do throws(DeviceError) {
      let looks = Contractors().devices.looks(at: questions.map(\.question))
      for try await look in looks {
        send(.looked(TopLook(zip(questions, look.facts).map { ($0, $1) }, gaps: look.gaps)))
      }
    } catch {
      send(.lookFailed(CommandFailure(error)))
    }
  }

  private static func explain(
    _ question: Question, _ send: Send<TopBlueprint.Change>
  ) async {
    var question = question
    let id = question
    question.names = .few
    let service = Contractors().devices
    do throws(DeviceError) {
      for try await facts in service.observations(of: question) {
        let facts = service.machine.observingUse(in: facts)
        send(.explained(id, ExplainedFacts(facts: facts, explanation: facts.explain())))
      }
    } catch {
      send(.explanationFailed(id, CommandFailure(error)))
    }
  }

  // MARK: Users

  /// The devices whose users are looked for.
  private static func targets(
    of questions: [TopQuestion], in rows: [TopRow]
  ) -> [Question.Target] {
    var targets: [Question.Target] = []
    for question in questions {
      if case .kind(let kind) = question.question.target, kind.subsystem != nil,
        rows.contains(where: { $0.kind == kind.name && $0.node != nil })
      {
        targets.append(question.question.target)
      }
    }
    return targets + rows.filter { $0.kind == "path" }.compactMap(\.node).map { .path($0) }
  }

  /// One look at all processes; this is the place for events of use.
  private static func findUsers(
    of targets: [Question.Target], _ send: Send<TopBlueprint.Change>
  ) {
    do throws(DeviceError) {
      send(.foundUsers(try Contractors().deviceUsage.machine.useByOthers(of: targets)))
    } catch {
      send(.usersFailed(CommandFailure(error)))
    }
  }
}
