import LegoKit
import Synchronization

/// A blueprint that counts.
struct Count: Blueprint {
  struct Design: Equatable, Sendable { var count = 0 }
  enum Change: Equatable, Sendable {
    case add(Int)
    case ask
  }

  func change(_ design: inout Design, on change: Change) {
    if case .add(let amount) = change { design.count &+= amount }
  }
}

/// A blueprint of a whole with a counting part.
struct Whole: Blueprint {
  struct Design: Equatable, Sendable {
    var name = "whole"
    var part = Count.Design()
  }
  enum Change: Equatable, Sendable { case part(Count.Change) }

  func change(_ design: inout Design, on change: Change) {
    switch change {
    case .part(let change): Count().change(&design.part, on: change)
    }
  }
}

/// A blueprint with a design of some size.
struct Sized: Blueprint {
  struct Design: Equatable, Sendable {
    var bytes: [UInt8]
    var count = 0
  }
  enum Change: Equatable, Sendable { case touch, count }

  func change(_ design: inout Design, on change: Change) {
    switch change {
    case .touch: design.bytes[design.bytes.count / 2] &+= 1
    case .count: design.count &+= 1
    }
  }
}

/// The least that a store can be: a design and an observer behind a `Mutex`.
final class MutexStore: Sendable {
  private struct State: Sendable {
    var design = Count.Design()
    let observer: Handler<Count.Design>
  }

  private let state: Mutex<State>

  init(_ observer: @escaping @Sendable (Count.Design) -> Void) {
    state = Mutex(State(observer: Handler(observer)))
  }

  @inline(never) func build(_ change: Count.Change) {
    let (design, observer) = state.withLock { state in
      Count().change(&state.design, on: change)
      return (state.design, state.observer)
    }
    observer.body(design)
  }
}

/// A closure in an object, since a closure in a generic value would be wrapped anew at each read.
final class Handler<Value>: Sendable {
  let body: @Sendable (Value) -> Void

  init(_ body: @escaping @Sendable (Value) -> Void) {
    self.body = body
  }
}

/// The least that a subject can be: a closure behind a `Mutex`.
final class MutexSubject: Sendable {
  private let handler: Mutex<Handler<Int>>

  init(_ receive: @escaping @Sendable (Int) -> Void) {
    handler = Mutex(Handler(receive))
  }

  @inline(never) func send(_ value: Int) {
    handler.withLock { $0 }.body(value)
  }
}

/// Answers `.ask` with a change that is ready.
final class Ready: Adaptor<Count> {
  override func connect(_ design: Count.Design, on change: Count.Change)
    -> AnyPublisher<Count.Change, Never>
  {
    change == .ask ? Just(.add(1)).eraseToAnyPublisher() : .empty
  }
}

/// Answers `.ask` with a future that is resolved at once, as the permissions example does.
final class Resolved: Adaptor<Count> {
  override func connect(_ design: Count.Design, on change: Count.Change)
    -> AnyPublisher<Count.Change, Never>
  {
    guard change == .ask else { return .empty }
    return Future { promise in promise(.success(.add(1))) }.eraseToAnyPublisher()
  }
}

/// Answers `.ask` with an async effect.
final class Running: Adaptor<Count> {
  override func effect(_ design: Count.Design, on change: Count.Change) -> Effect<Count.Change> {
    change == .ask ? .run { send in send(.add(1)) } : .none
  }
}

/// Answers `.ask` with an async effect, and `.add` with one of its own id that never ends.
final class Crowded: Adaptor<Count> {
  private let silence = PassthroughSubject<Count.Change, Never>()

  override func effect(_ design: Count.Design, on change: Count.Change) -> Effect<Count.Change> {
    switch change {
    case .ask: .run { _ in }.id("ask", policy: .runNewest())
    case .add(let number): .publisher(silence).id(number)
    }
  }
}

struct Dial: Service {
  static let contractor = Dial()
  var number = 1
}

extension Contractors {
  var dial: Dial {
    get { Self[Dial.Value.self] }
    set { Self[Dial.Value.self] = newValue }
  }
}

enum Local {
  @TaskLocal static var dial = Dial()
}
