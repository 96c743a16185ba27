import LinuxTestSupport
import MessageBus
import Synchronization

/// A simulated polkit on a private bus.
struct TestAuthority: BusServing {
  /// The ways to answer a question.
  enum Conduct: Sendable, CaseIterable {
    case yes, no, dismissed, challenge, error, nonsense, wrongTypes, never, crash
  }

  /// The questions that were received, and the way to answer them, shared with the test.
  final class Record: Sendable {
    struct State {
      var conduct: Conduct
      var questions: [BusIncoming] = []
      var cancelled: [String] = []
    }

    private let state: Mutex<State>
    /// Called before each answer.
    let meanwhile: @Sendable () -> Void

    init(_ conduct: Conduct, meanwhile: @escaping @Sendable () -> Void) {
      state = Mutex(State(conduct: conduct))
      self.meanwhile = meanwhile
    }

    func with<Value: Sendable>(_ body: (inout State) -> Value) -> Value {
      state.withLock { (state: inout State) -> Value in body(&state) }
    }

    var questions: [BusIncoming] { with { $0.questions } }
    var cancelled: [String] { with { $0.cancelled } }
  }

  static let name = "org.freedesktop.PolicyKit1"
  let record: Record
  private var waiting: [String: UInt64] = [:]

  init(_ record: Record) { self.record = record }

  var deadline: ContinuousClock.Instant? { nil }

  mutating func take(_ event: BusEvent, at now: ContinuousClock.Instant) -> [BusOrder] {
    guard case .called(let call, let ticket) = event else { return [] }
    if call.member == "CancelCheckAuthorization" {
      let id = call.arguments.first?.text ?? ""
      record.with { $0.cancelled.append(id) }
      return [.answer(ticket: ticket, .values([]))]
        + (waiting.removeValue(forKey: id).map { [.answer(ticket: $0, Self.cancelled)] } ?? [])
    }
    let conduct = record.with { state in
      state.questions.append(call)
      return state.conduct
    }
    record.meanwhile()
    switch conduct {
    case .yes: return [.answer(ticket: ticket, Self.result(true, false))]
    case .no: return [.answer(ticket: ticket, Self.result(false, false))]
    case .challenge: return [.answer(ticket: ticket, Self.result(false, true))]
    case .dismissed:
      return [
        .answer(ticket: ticket, Self.result(false, false, [.pair("polkit.dismissed", "true")]))
      ]
    case .error:
      let name = "\(Self.name).Error.Failed"
      return [.answer(ticket: ticket, .failure(name: name, "it failed"))]
    case .nonsense: return [.answer(ticket: ticket, .values([.boolean(true)]))]
    case .wrongTypes:
      let wrong = BusArgument.structure([.text("true"), .boolean(true), .text("")])
      return [.answer(ticket: ticket, .values([wrong]))]
    case .never:
      waiting[call.arguments.last?.text ?? ""] = ticket
      return []
    case .crash: return [.end]
    }
  }

  private static let cancelled = BusAnswer.failure(name: "\(name).Error.Cancelled", "cancelled")

  private static func result(
    _ isAuthorized: Bool, _ isChallenge: Bool, _ details: [BusArgument] = []
  ) -> BusAnswer {
    .values([
      .structure([
        .boolean(isAuthorized), .boolean(isChallenge), .array(of: "{ss}", details),
      ])
    ])
  }
}
