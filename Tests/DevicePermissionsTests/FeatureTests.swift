import AccessModel
import DevicePermissions
import DevicePermissionsTesting
import LegoKit
import LinuxDevices
import Testing

// A store with three levels. An application has permissions and a list of panels. Each panel is a
// device and has the devices feature as a part.

private struct Panel: Blueprint {
  struct Design: Equatable, Sendable, Identifiable {
    let id: String
    var devices = DeviceBlueprint.Design()
  }

  typealias Change = DeviceBlueprint.Change

  func change(_ design: inout Design, on change: Change) {}
}

private struct App: Blueprint {
  struct Design: Equatable, Sendable {
    var permissions = PermissionsBlueprint.Design()
    var panels: [Panel.Design] = []
  }

  enum Change: Equatable, Sendable, PayloadReadable {
    case permissions(PermissionsBlueprint.Change)
    case panel(String, Panel.Change)
    case close(String)

    var payload: Any? {
      switch self {
      case .permissions(let change): change
      case .panel(let id, let change): (id, change)
      case .close: nil
      }
    }
  }

  func change(_ design: inout Design, on change: Change) {
    if case .close(let id) = change { design.panels.removeAll { $0.id == id } }
  }

  static func store(_ paths: String...) -> Lego<App> {
    let panel = Feature(Panel()).part(\.devices, .whole, .devices)
    let app = Feature(App())
      .part(\.permissions, .case(Change.permissions), .permissions)
      .each(\.panels, .case(Change.panel), panel)
    return Lego(Design(panels: paths.map { .init(id: $0) }), feature: app)
  }
}

@Suite(
  .machine {
    $0.addUser("alice", id: 1000, groups: ["video"])
    $0.addDirectory("/home/alice/Pictures", mode: 0o700, owner: "alice")
    $0.addCamera(metadataSibling: true)
    $0.run(as: "alice")
  })
struct `Permissions and devices in a store of three levels` {
  private static func explain(_ path: String) -> App.Change {
    .panel(path, .explain(Question(.path(path))))
  }

  @Test func `answers arrive in the part that asked`() async {
    let lego = App.store("/dev/video0", "/dev/video1")
    await lego.build(.permissions(.requestPermissionStatus)).finished()
    await lego.build(Self.explain("/dev/video1")).finished()
    #expect(lego.design.permissions.camera == .authorized)
    #expect(lego.design.panels[0].devices.explanation == nil)
    #expect(lego.design.panels[1].devices.explanation?.decision.isGranted == true)
  }

  @Test func `an answer for a panel that was closed is dropped`() async {
    let lego = App.store("/dev/video0", "/dev/video1")
    let panel = lego.scope(\.panels, id: "/dev/video0", change: App.Change.panel)
    let build = lego.build(Self.explain("/dev/video0"))
    lego.build(.close("/dev/video0"))
    #expect(lego.effectCount == 0)
    await build.finished()
    #expect(lego.design.panels.map(\.id) == ["/dev/video1"])
    #expect(panel?.design.devices.explanation == nil)
  }

  @Test func `a panel is used through a scope`() async throws {
    let lego = App.store("/dev/video0")
    let panel = try #require(lego.scope(\.panels, id: "/dev/video0", change: App.Change.panel))
    await panel.build(.list(.camera)).finished()
    #expect(panel.design.devices.listings[.camera]?.count == 2)
  }
}
