import LegoKit

/// What several stores share.
struct Settings: Blueprint {
  struct Design: Equatable, Sendable {
    var theme = "light"
    /// The theme of the store that this one follows.
    var followed = ""
    var log: [String] = []
  }

  enum Change: Equatable, Sendable {
    case theme(String)
    case followed(String)
    case started
    case stopped
  }

  func change(_ design: inout Design, on change: Change) {
    switch change {
    case .theme(let theme): design.theme = theme
    case .followed(let theme): design.followed = theme
    case .started: design.log.append("started")
    case .stopped: design.log.append("stopped")
    }
  }

  static func lego() -> Lego<Settings> { Lego(Design(), blueprint: Settings()) }
}

enum SettingsService: Service {
  static let contractor = Settings.lego()
}

/// Follows the settings in ``OtherMirrorService``, which follows those in this one.
enum MirrorService: Service {
  static let contractor = mirror(of: \.otherMirror)
  static let testContractor: Lego<Settings>? = contractor
}

enum OtherMirrorService: Service {
  static let contractor = mirror(of: \.mirror)
  static let testContractor: Lego<Settings>? = contractor
}

extension Contractors {
  var settings: Lego<Settings> {
    get { Self[SettingsService.self] }
    set { Self[SettingsService.self] = newValue }
  }
  var mirror: Lego<Settings> { Self[MirrorService.self] }
  var otherMirror: Lego<Settings> { Self[OtherMirrorService.self] }
}

private func mirror(
  of store: any KeyPath<Contractors, Lego<Settings>> & Sendable
) -> Lego<Settings> {
  Lego(.init(), blueprint: Settings(), adaptors: [ThemeFollower(store)])
}

/// Takes over the theme of a shared store.
final class ThemeFollower: Adaptor<Settings> {
  private let store: any KeyPath<Contractors, Lego<Settings>> & Sendable

  init(_ store: any KeyPath<Contractors, Lego<Settings>> & Sendable) {
    self.store = store
  }

  override var follows: [Follow<Settings>] { [Follow(shared: store, \.theme) { .followed($0) }] }
}
