import LegoKit

// A component that has little state of its own: it shows what two relays have, and an object that it
// shares with others says whether it is locked.

struct SettingCenter: Blueprint {
  struct State: Equatable {
    var value: String = ""
  }

  typealias Design = State

  enum Change: Equatable {
    case value(String)
  }

  func change(_ state: inout State, on change: Change) {
    if case .value(let value) = change { state.value = value }
  }

  static func service(_ value: String) -> Lego<SettingCenter> {
    Lego(.init(value: value), blueprint: SettingCenter())
  }
}

enum AccountRelay: Service {
  static let contractor = SettingCenter.service("nobody")
}

enum PlaceRelay: Service {
  static let contractor = SettingCenter.service("lobby")
}

struct SessionCenter: Blueprint {
  struct State: Equatable {
    var isLocked: Bool = true
  }

  typealias Design = State

  enum Change: Equatable {
    case unlock(code: String)
    case lock
  }

  func change(_ state: inout State, on change: Change) {
    switch change {
    case .unlock(let code): state.isLocked = code != "0000"
    case .lock: state.isLocked = true
    }
  }
}

enum SessionObject: Service {
  static let contractor = Lego(SessionCenter.State(), blueprint: SessionCenter())
}

extension Contractors {
  var account: Lego<SettingCenter> {
    get { Self[AccountRelay.self] }
    set { Self[AccountRelay.self] = newValue }
  }
  var place: Lego<SettingCenter> {
    get { Self[PlaceRelay.self] }
    set { Self[PlaceRelay.self] = newValue }
  }
  var session: Lego<SessionCenter> {
    get { Self[SessionObject.self] }
    set { Self[SessionObject.self] = newValue }
  }
}

struct LobbyCenter: Blueprint {
  struct State: Equatable {
    var account: String = ""
    var place: String = ""
    var isLocked: Bool = true
  }

  typealias Design = State

  enum Change: Equatable {
    case account(String)
    case place(String)
    case locked(Bool)
  }

  func change(_ state: inout State, on change: Change) {
    switch change {
    case .account(let account): state.account = account
    case .place(let place): state.place = place
    case .locked(let isLocked): state.isLocked = isLocked
    }
  }
}

final class LobbyRelays: Adaptor<LobbyCenter> {
  override var follows: [Follow<LobbyCenter>] {
    [
      Follow(shared: \.account, \.value) { .account($0) },
      Follow(shared: \.place, \.value) { .place($0) },
      Follow(shared: \.session, \.isLocked) { .locked($0) },
    ]
  }
}

/// The component, and its view: a line of text.
struct LobbyDisplay {
  let center: Lego<LobbyCenter> = Lego(
    .init(), blueprint: LobbyCenter(), adaptors: [LobbyRelays()])

  /// The lines that are drawn until one is.
  func lines(until last: String) async -> [String] {
    var lines: [String] = []
    for await state in center.designs {
      lines.append(state.isLocked ? "locked" : "\(state.account) in the \(state.place)")
      if lines.last == last { break }
    }
    return lines
  }
}
