import LegoKit

// A component with a center: events with and without a payload, reducers that others forward to, one
// that runs when the component appears, and a service that a reducer asks.

struct QueryCenter: Blueprint {
  struct State: Equatable {
    var query: String = ""
    var isEditing: Bool = false
    var isCommandMenuActive: Bool = false
    var trail: [String] = []
  }

  typealias Design = State

  enum Change: Equatable {
    struct Meta: Equatable {
      var data: [UInt8]
    }

    case onAppear
    case edit(String)
    case ask
    case boot(Meta)
    case bootBefore
    case bootAfter
    case lookUp
    case found(Int)
  }

  func change(_ state: inout State, on change: Change) {
    switch change {
    case .onAppear:
      state.isCommandMenuActive = true
    case .edit(let text):
      state.query = text
      state.isEditing = true
    case .ask:
      state.query = "newValue"
      state.isEditing = false
    case .boot(let meta):
      self.change(&state, on: .bootBefore)
      state.trail.append("boot with \(meta.data.count)")
      self.change(&state, on: .bootAfter)
    case .bootBefore:
      state.trail.append("before")
    case .bootAfter:
      state.trail.append("after \(state.trail.last ?? "")")
    case .lookUp:
      break
    case .found(let count):
      state.trail.append("found \(count)")
    }
  }
}

/// The service that the component asks: a store behind a contractor, for all components.
struct IndexCenter: Blueprint {
  struct Design: Equatable {
    var words: [String] = []
  }

  enum Change: Equatable {
    case add(String)
  }

  func change(_ design: inout Design, on change: Change) {
    if case .add(let word) = change { design.words.append(word) }
  }
}

enum IndexService: Service {
  static let contractor = Lego(IndexCenter.Design(), blueprint: IndexCenter())
}

extension Contractors {
  var index: Lego<IndexCenter> {
    get { Self[IndexService.self] }
    set { Self[IndexService.self] = newValue }
  }
}

final class QueryReducers: Adaptor<QueryCenter> {
  @Contractor(\.index) private var index

  override func effect(
    _ state: QueryCenter.State, on change: QueryCenter.Change
  ) -> Effect<QueryCenter.Change> {
    switch change {
    case .ask:
      return .build(IndexCenter.Change.add(state.query), on: \.index)
    case .lookUp:
      return .send(.found(index.design.words.count))
    default:
      return .none
    }
  }
}

/// The component: the center with its reducers, and what shows it.
struct QueryDesk {
  let center: Lego<QueryCenter> = Lego(
    .init(), blueprint: QueryCenter(),
    adaptors: [LifecycleAdaptor(started: .onAppear), QueryReducers()])

  var query: Glue<String> { center.glue(\.query, change: { .edit($0) }) }

  func onCommit() {
    center.build(.ask)
  }
}
