import Foundation
import Glibc
package import Testing

/// A private desktop for a test: a bus, and a portal for cameras and files.
package final class PrivateDesktop {
  /// The portal of the desktop.
  package enum Portal {
    /// xdg-desktop-portal and its permission store, which the bus starts on demand.
    ///
    /// `answer` is the answer to its dialogs, as described in portal-service; `uris` are the files
    /// that a dialog selects.
    case packaged(answer: String, uris: [String] = [])
    /// xdg-desktop-portal without a backend that shows dialogs.
    case packagedWithoutBackend
    /// The portal of portal-service, which behaves as `conduct` specifies.
    case own(conduct: String, uris: [String] = [])
    case none
  }

  package let bus: PrivateBus
  /// The program that simulates the user or the portal, and prints the requests that it receives.
  package private(set) var service: StartedProgram?
  private var daemon: StartedProgram?
  private var camera: PrivateCamera?

  private static let portalProgram = "/usr/libexec/xdg-desktop-portal"
  private static let storeProgram = "/usr/libexec/xdg-permission-store"

  /// A Boolean value that indicates whether xdg-desktop-portal is installed and portal-service was
  /// built.
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
  ///   - portal: The portal of the desktop.
  ///   - hasMedia: `true` to start PipeWire, which is required to grant a camera.
  ///   - hasCamera: `true` to add a camera as well.
  /// - Throws: An error if a part of the desktop does not start.
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

  /// Installs the desktop entry of an application.
  package func install(_ application: String) throws {
    let folder = "\(bus.path)/data/applications"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try "[Desktop Entry]\nType=Application\nName=Booth\nExec=/bin/true\n"
      .write(toFile: "\(folder)/\(application).desktop", atomically: false, encoding: .utf8)
  }

  /// Kills PipeWire, as in a crash.
  package func endMedia() {
    daemon?.send(SIGKILL)
    _ = daemon?.end()
    daemon = nil
  }

  /// The interfaces of the backend, without which the portal does not offer its own interfaces.
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

  /// Returns the next line that ``service`` prints; `nil` at the end of its output.
  ///
  /// It does not block a thread of the pool, because answering the service may need all of them.
  package func line() async -> String? { await service?.nextLine() }

  /// Runs a request with a short timeout against a portal that never answers.
  ///
  /// On a busy machine, the timeout may expire before the request reaches the portal. The method
  /// then tries again with a longer timeout on a new desktop.
  ///
  /// - Parameter ask: Sends the request, and returns when the timeout has expired.
  /// - Throws: An error thrown by `ask`, or an error if a desktop does not start.
  /// - Returns: The desktop whose portal received the request; `nil` if even the longest timeout
  ///   was too short.
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

  /// The environment for programs on this desktop.
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
  /// Skips a test that needs xdg-desktop-portal.
  package static var requiresPortal: Self {
    .enabled(
      if: PrivateDesktop.hasPortal,
      "xdg-desktop-portal and dbus-daemon(1), of the packages of these names, are needed")
  }

  /// Skips a test that needs PipeWire.
  package static var requiresMedia: Self {
    .enabled(
      if: unsafe access("/usr/bin/pipewire", X_OK) == 0,
      "pipewire(1), of the package of that name, is needed")
  }
}
