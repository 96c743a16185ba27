internal import AccessModel
internal import DevicePermissions
internal import LegoKit
internal import LinuxDevices

/// Keeps a ``TopDesign`` up to date.
///
/// It observes the devices, their users, and the facts for the row whose details are shown.
final class TopAdaptor: Adaptor<TopBlueprint> {
  private let questions: [TopQuestion]

  /// Creates an adaptor.
  ///
  /// - Parameter questions: The questions whose answers are listed.
  init(_ questions: [TopQuestion]) {
    self.questions = questions
  }

  override var follows: [Follow<TopBlueprint>] {
    let questions = questions
    return [
      Follow(\.lookRequest) { _ in .run { send in await Self.look(at: questions, send) } },
      Follow(\.usersQuestion) { question in
        guard let question else { return .none }
        return .run { send in await Self.findUsers(question, send) }
      },
      Follow(\.detailQuestion) { question in
        guard let question else { return .none }
        return .run { send in await Self.observe(question, send) }
      },
    ]
  }

  private static func look(
    at questions: [TopQuestion], _ send: Send<TopBlueprint.Change>
  ) async {
    // A scan covers only the questions whose facts may have changed.
    var known: [Int: AccessFacts] = [:]
    do throws(DeviceError) {
      for try await look in Contractors().devices.looks(at: questions.map(\.question)) {
        known.merge(look.facts) { $1 }
        let all = questions.enumerated().compactMap { index, question in
          known[index].map { (question: question, facts: $0) }
        }
        send(.looked(TopScan(all, gaps: look.gaps)))
      }
    } catch {
      send(.lookFailed(CommandFailure(error)))
    }
  }

  private static func findUsers(
    _ question: TopUsersQuestion, _ send: Send<TopBlueprint.Change>
  ) async {
    do throws(DeviceError) {
      for try await use in Contractors().deviceUsage.changes(of: question.targets) {
        send(.foundUsers(use.facts, gaps: use.gaps))
      }
    } catch {
      send(.usersFailed(CommandFailure(error)))
    }
  }

  private static func observe(
    _ question: Question, _ send: Send<TopBlueprint.Change>
  ) async {
    var named = question
    named.names = .few
    do throws(DeviceError) {
      for try await facts in Contractors().devices.observations(of: named) {
        send(.observed(question, facts))
      }
    } catch {
      send(.observationFailed(question, CommandFailure(error)))
    }
  }
}
