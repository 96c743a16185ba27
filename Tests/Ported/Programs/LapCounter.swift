import LegoKit

// A counter with actions, a reducer, and an effect that starts and is cancelled.

struct LapCounter: Blueprint {
  struct Design: Equatable {
    var count: Int = 0
    var log: [String] = []
  }

  enum Change: Equatable {
    case increment, decrement
    case startTask, cancel
    case log(String)
  }

  enum CancelID: String { case cancellableTask }

  func change(_ design: inout Design, on change: Change) {
    switch change {
    case .increment:
      design.count += 1
    case .decrement:
      design.count -= 1
    case .log(let text):
      design.log.append(text)
    case .startTask, .cancel:
      break
    }
  }
}

final class LapEffects: Adaptor<LapCounter> {
  override func effect(
    _ design: LapCounter.Design, on change: LapCounter.Change
  ) -> Effect<LapCounter.Change> {
    switch change {
    case .startTask:
      return .run { send in
        do {
          send(.log("started"))
          try await Contractors().clock.sleep(for: .seconds(3))
          send(.log("completed"))
        } catch is CancellationError {
          print("cancelled")
        } catch {
          print("\(error)")
        }
      }
      .id(LapCounter.CancelID.cancellableTask.rawValue)
    case .cancel:
      return .cancel(id: LapCounter.CancelID.cancellableTask.rawValue)
    default:
      return .none
    }
  }
}

/// What shows the counter, and sends its actions.
struct LapScreen {
  let presenter: Lego<LapCounter> = .init(
    .init(), blueprint: LapCounter(), adaptors: [LapEffects()])

  var drawn: String { "Count = \(presenter.design.count)" }

  func pressIncrement() { presenter.build(.increment) }
  func pressDecrement() { presenter.build(.decrement) }
}
