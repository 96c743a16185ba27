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
      Follow(\.scanRequest) { _ in .run { send in await Self.scan(at: questions, send) } },
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

  private static func scan(
    at questions: [TopQuestion], _ send: Send<TopBlueprint.Change>
  ) async {
    // A scan covers only the questions whose facts may have changed.
    var known: [Int: AccessFacts] = [:]
    do throws(DeviceError) {
      for try await scan in Contractors().devices.scans(at: questions.map(\.question)) {
        known.merge(scan.facts) { $1 }
        let all = questions.enumerated().compactMap { index, question in
          known[index].map { (question: question, facts: $0) }
        }
        send(.scanned(TopScan(all, gaps: scan.gaps)))
      }
    } catch {
      send(.scanFailed(CommandFailure(error)))
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

/// A question whose answers are rows of the list.
struct TopQuestion: Hashable, Sendable {
  var question: Question
  /// A Boolean value that indicates whether the user named the target.
  ///
  /// If so, it has a row even if it is absent.
  var isNamed: Bool
}

/// The devices whose users are observed.
struct TopUsersQuestion: Hashable, Sendable {
  /// The kinds with at least one device, and the devices that the user named by path.
  let targets: [Question.Target]
  /// The number of times that the user requested a new scan; a new value restarts the observation.
  let request: Int

  /// Creates a question from the rows; returns `nil` if no row is a device.
  init?(_ rows: [TopRow], request: Int) {
    let devices = rows.filter { $0.node != nil }
    let kinds = Set(devices.map(\.kind))
    targets =
      DeviceKind.all.filter { kinds.contains($0.name) }.map { .kind($0) }
      + devices.filter { $0.kind == TopRow.pathKind }.map { .path($0.path) }
    guard !targets.isEmpty else { return nil }
    self.request = request
  }
}

/// The result of one scan of all devices in question.
struct TopScan: Equatable, Sendable {
  var rows: [TopRow]
  /// The facts whose changes no event reports.
  var gaps: [Unobserved] = []
  /// The use of the devices, if a recording contains it.
  var use: UseFacts?

  /// Creates a result from the facts for each question.
  init(_ scans: [(question: TopQuestion, facts: AccessFacts)], gaps: [Unobserved] = []) {
    self.gaps = gaps
    var seen: Set<String> = []
    rows = scans.flatMap { scan in
      TopRow.rows(
        of: scan.facts, answering: scan.question.question, isNamed: scan.question.isNamed)
    }
    // Two questions can be about the same device.
    .filter { seen.insert($0.id).inserted }
    var order: [String: Int] = [:]
    for index in rows.indices {
      let kind = rows[index].kind
      rows[index].order = order[kind] ?? order.count
      order[kind] = rows[index].order
    }
  }
}
