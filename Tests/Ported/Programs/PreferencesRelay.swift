import LegoKeeping
import LegoKit

// A relay that is online for all components, and is kept: it is saved by itself and loaded at once.

struct PreferencesCenter: Blueprint {
  struct State: Codable, Equatable {
    var theme: String = "light"
  }

  typealias Design = State

  enum Change: Equatable {
    case theme(String)
  }

  func change(_ state: inout State, on change: Change) {
    if case .theme(let theme) = change { state.theme = theme }
  }
}

enum PreferencesService: Service {
  static let contractor = make(in: .standard)

  static func make(in directory: StateDirectory) -> Lego<PreferencesCenter> {
    Lego(
      .init(), blueprint: PreferencesCenter(),
      adaptors: [Keeping("save.0001", in: directory, saving: .automatic)])
  }
}

extension Contractors {
  var preferences: Lego<PreferencesCenter> {
    get { Self[PreferencesService.self] }
    set { Self[PreferencesService.self] = newValue }
  }
}

/// A component that shows a preference of the relay.
struct Banner: Blueprint {
  struct Design: Equatable {
    var theme: String = ""
  }

  enum Change: Equatable {
    case theme(String)
  }

  func change(_ design: inout Design, on change: Change) {
    if case .theme(let theme) = change { design.theme = theme }
  }
}

final class BannerAdaptor: Adaptor<Banner> {
  override var follows: [Follow<Banner>] {
    [Follow(shared: \.preferences, \.theme) { .theme($0) }]
  }
}
