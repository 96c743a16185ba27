import Foundation
import Glibc
package import Testing

/// A desktop of a test's own: a private bus with a portal of cameras and files, all of it gone with the value.
package final class PrivateDesktop {
  /// Which portal it has.
  package enum Portal {
    /// xdg-desktop-portal with its permission store, both started by the bus when they are called. A
    /// person answers its dialogs so: see portal-service. A dialog for files comes to the URIs.
    case packaged(answer: String, uris: [String] = [])
    /// The same where nothing shows dialogs.
    case packagedWithoutBackend
    /// A portal with the manners of this name: see portal-service.
    case own(conduct: String, uris: [String] = [])
    case none
  }

  package let bus: PrivateBus
  /// The person, or the portal of our own; it prints what it is asked.
  package private(set) var service: StartedProgram?
  private var daemon: StartedProgram?
  private var camera: PrivateCamera?

  private static let portalProgram = "/usr/libexec/xdg-desktop-portal"
  private static let storeProgram = "/usr/libexec/xdg-permission-store"

  /// Whether xdg-desktop-portal is installed, and what stands in for a person was built.
  package static let hasPortal: Bool = {
    guard PrivateBus.program != nil, BuiltProgram.path("portal-service") != nil else {
      return false
    }
    let programs: [String] = [portalProgram, storeProgram]
    return programs.allSatisfy { path in unsafe access(path, X_OK) == 0 }
  }()

  /// Starts a desktop.
  ///
  /// - Parameters:
  ///   - portal: Its portal.
  ///   - hasMedia: Whether PipeWire runs, which a granted camera takes.
  ///   - hasCamera: Whether it has a camera, too.
  /// - Throws: An error where a part of it does not start.
  package init(_ portal: Portal, hasMedia: Bool = false, hasCamera: Bool = false) async throws {
    let isPackaged =
      switch portal {
      case .packaged, .packagedWithoutBackend: true
      case .own, .none: false
      }
    bus = try PrivateBus { path in
      guard isPackaged else { return [:] }
      let setting = Self.environment(path).joined(separator: " ")
      func file(_ name: String, _ program: String) -> String {
        "[D-BUS Service]\nName=\(name)\nExec=/usr/bin/env \(setting) \(program)\n"
      }
      return [
        "store.service": file("org.freedesktop.impl.portal.PermissionStore", Self.storeProgram),
        "portal.service": file("org.freedesktop.portal.Desktop", Self.portalProgram),
      ]
    }
    try FileManager.default.createDirectory(
      atPath: "\(bus.path)/portals", withIntermediateDirectories: true)
    if hasMedia || hasCamera {
      daemon = try StartedProgram(
        ["/usr/bin/pipewire"], environment: ["PATH=/usr/bin:/bin", "XDG_RUNTIME_DIR=\(bus.path)"])
      let socket = "\(bus.path)/pipewire-0"
      guard await eventually({ unsafe access(socket, F_OK) == 0 }) else {
        throw SystemError(call: "pipewire", errno: ECHILD)
      }
    }
    switch portal {
    case .packaged(let answer, let uris):
      try """
      [portal]
      DBusName=org.freedesktop.impl.portal.desktop.test
      Interfaces=\(Self.interfaces.joined(separator: ";"))
      UseIn=test
      """.write(toFile: "\(bus.path)/portals/test.portal", atomically: false, encoding: .utf8)
      service = try start("backend", answer, uris)
    case .own(let conduct, let uris): service = try start("portal", conduct, uris)
    case .packagedWithoutBackend, .none: break
    }
    if hasCamera { camera = try await PrivateCamera(home: bus.path, environment: environment) }
  }

  /// Installs an application: its desktop entry.
  package func install(_ application: String) throws {
    let folder = "\(bus.path)/data/applications"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try "[Desktop Entry]\nType=Application\nName=Booth\nExec=/bin/true\n"
      .write(toFile: "\(folder)/\(application).desktop", atomically: false, encoding: .utf8)
  }

  /// Ends PipeWire at once, as a crash does.
  package func endMedia() {
    daemon?.send(SIGKILL)
    _ = daemon?.end()
    daemon = nil
  }

  /// What the backend has; a portal offers nothing that no backend lists.
  private static let interfaces = ["Access", "FileChooser", "Lockdown"]
    .map { "org.freedesktop.impl.portal.\($0)" }

  private func start(
    _ role: String, _ manners: String, _ uris: [String]
  ) throws -> StartedProgram {
    let program = try StartedProgram(
      [BuiltProgram.path("portal-service") ?? "/portal-service", role, manners] + uris,
      environment: environment)
    guard program.line() == "ready" else {
      throw SystemError(call: "portal-service", errno: ECHILD)
    }
    return program
  }

  /// The next line that ``service`` prints; `nil` at its end.
  ///
  /// No thread of the pool waits for it: those that answer the service may need them all.
  package func line() async -> String? { await service?.nextLine() }

  /// Has a silent portal of our own asked by one who waits for some seconds alone.
  ///
  /// On a busy machine that time can be up before the portal is asked: then there is more of it, on
  /// another desktop.
  ///
  /// - Parameter ask: Asks, and returns when the time is up.
  /// - Throws: What asking throws, and an error where a desktop does not start.
  /// - Returns: The desktop whose portal was asked; `nil` where not even minutes are enough.
  package static func whereTimeIsUp(
    _ ask: (_ desktop: PrivateDesktop, _ timeout: Duration) async throws -> Void
  ) async throws -> PrivateDesktop? {
    for seconds in [2, 10, 50, 150] {
      let desktop = try await PrivateDesktop(.own(conduct: "silent"))
      try await ask(desktop, .seconds(seconds))
      if desktop.service?.hasOutput == true { return desktop }
    }
    return nil
  }

  /// The environment of a program on this desktop.
  package var environment: [String] { Self.environment(bus.path) + ["PATH=/usr/bin:/bin"] }

  private static func environment(_ path: String) -> [String] {
    [
      "DBUS_SESSION_BUS_ADDRESS=unix:path=\(path)/bus", "XDG_RUNTIME_DIR=\(path)",
      "XDG_DATA_HOME=\(path)/data", "HOME=\(path)", "XDG_CURRENT_DESKTOP=test",
      "XDG_DESKTOP_PORTAL_DIR=\(path)/portals", "GSETTINGS_BACKEND=memory", "GIO_USE_VFS=local",
    ]
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips a test that needs the portal of a desktop.
  package static var requiresPortal: Self {
    .enabled(
      if: PrivateDesktop.hasPortal,
      "xdg-desktop-portal and dbus-daemon(1), of the packages of these names, are needed")
  }

  /// Skips a test that needs the programs of PipeWire, too.
  package static var requiresMedia: Self {
    .enabled(
      if: unsafe access("/usr/bin/pipewire", X_OK) == 0,
      "pipewire(1), of the package of that name, is needed")
  }
}
