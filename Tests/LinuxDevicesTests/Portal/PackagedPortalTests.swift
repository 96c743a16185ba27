import AccessModel
import Glibc
import LinuxTestSupport
import MessageBus
import Testing

@testable import LinuxDevices

/// Uses a real xdg-desktop-portal with its permission store, and a simulated user.
@Suite(.requiresPortal, .timeLimit(.minutes(5)))
struct `The portal of Debian` {
  private func portal(_ desktop: PrivateDesktop) -> DesktopPortal {
    DesktopPortal(address: .at(desktop.bus.address))
  }

  @Test(.requiresMedia) func `gives the camera after a yes, and asks once`() async throws {
    let desktop = try await PrivateDesktop(.packaged(answer: "yes"), hasMedia: true)
    let portal = portal(desktop)
    // The bus could start the portal; reading the status does not.
    #expect(
      portal.status(of: "").isCameraPresent == nil && portal.status(of: "").isReachable)
    for _ in 0..<2 {
      let reply = await portal.request(PortalRequest())
      #expect(reply.outcome == .granted)
      guard let remote = reply.takeDescriptor() else {
        Issue.record("nothing was handed over")
        return
      }
      // A socket that is connected to PipeWire.
      var status = stat()
      #expect(unsafe fstat(remote.rawValue, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK)
      #expect(portal.status(of: "").permission == .answer(.yes))
    }
    #expect(await desktop.line()?.hasPrefix("||") == true)
    // A second dialog would be the next line.
    try await portal.store(nil, for: "")
    #expect(portal.status(of: "").permission == .nothing)
    desktop.service?.send(SIGKILL)
    #expect(await desktop.line() == nil)
  }

  /// Version 1.16 stores a permanent no if the user dismisses the dialog.
  ///
  /// It does the same if the dialog's program exits or answers nonsense.
  @Test(arguments: ["no", "dismissed", "crash", "nonsense"])
  func `refuses after anything but a yes, and remembers it`(answer: String) async throws {
    let desktop = try await PrivateDesktop(.packaged(answer: answer))
    let portal = portal(desktop)
    #expect(await portal.request(PortalRequest()).outcome == .refused)
    // Newer versions only store answers that come from the user.
    let permission = portal.status(of: "").permission
    #expect(
      permission == .answer(.no)
        || (permission == .nothing && (answer == "crash" || answer == "nonsense")))
  }

  @Test func `refuses without a dialog where no is stored, and asks once that is forgotten`()
    async throws
  {
    let desktop = try await PrivateDesktop(.packaged(answer: "no"))
    let portal = portal(desktop)
    try await portal.store(.no, for: "")
    #expect(await portal.request(PortalRequest()).outcome == .refused)
    try await portal.store(nil, for: "")
    // Removing an answer that does not exist is not an error.
    try await portal.store(nil, for: "")
    #expect(await portal.request(PortalRequest()).outcome == .refused)
    #expect(await desktop.line()?.hasPrefix("||") == true)
  }

  /// Since version 1.20, a program outside of a sandbox names its own application.
  ///
  /// The name is one of an installed desktop entry; all such programs share one answer about
  /// cameras.
  @Test(.requiresMedia) func `takes the name that a program gives itself, where it takes names`()
    async throws
  {
    let desktop = try await PrivateDesktop(.packaged(answer: "yes"), hasMedia: true)
    try desktop.install("org.example.Booth")
    let portal = portal(desktop)
    let takesNames = try Self.takesNames(desktop)
    let reply = await portal.request(PortalRequest(application: "org.example.Booth"))
    #expect(reply.outcome == .granted)
    #expect(await desktop.line()?.hasPrefix("||") == true)
    #expect(portal.status(of: "").permission == .answer(.yes))
    let unknown = await portal.request(PortalRequest(application: "org.example.Missing")).outcome
    let isRefused = if case .failed = unknown { true } else { false }
    #expect(isRefused == takesNames)
    #expect(isRefused || unknown == .granted)
  }

  private static func takesNames(_ desktop: PrivateDesktop) throws -> Bool {
    let bus = try BusConnection(.at(desktop.bus.address))
    let version = BusCall(
      "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop",
      "org.freedesktop.DBus.Properties", "Get",
      [.text("org.freedesktop.host.portal.Registry"), .text("version")])
    let limits = BusLimits(text: 4_096, values: 16, depth: 4)
    return (try? bus.call(version, within: .seconds(30), limits: limits)) != nil
  }

  @Test(.requiresMedia) func `opens nothing for a stored ask, whatever the person says`()
    async throws
  {
    let desktop = try await PrivateDesktop(.packaged(answer: "yes"), hasMedia: true)
    let portal = portal(desktop)
    try await portal.store(.ask, for: "")
    #expect(await portal.request(PortalRequest()).outcome == .withheld)
    #expect(portal.status(of: "").permission == .answer(.ask))
  }

  @Test func `says yes without PipeWire, and cannot give the camera`() async throws {
    let desktop = try await PrivateDesktop(.packaged(answer: "yes"))
    guard case .failed(let reason) = await portal(desktop).request(PortalRequest()).outcome else {
      Issue.record("a camera without PipeWire")
      return
    }
    #expect(reason.contains("PipeWire"))
  }

  @Test func `forbids under lockdown, and asks nobody`() async throws {
    let desktop = try await PrivateDesktop(.packaged(answer: "lockdown"))
    #expect(await portal(desktop).request(PortalRequest()).outcome == .forbidden)
  }

  @Test func `has no camera where nothing shows dialogs`() async throws {
    let desktop = try await PrivateDesktop(.packagedWithoutBackend)
    guard case .absent = await portal(desktop).request(PortalRequest()).outcome else {
      Issue.record("a camera portal without a backend")
      return
    }
  }

  @Test func `with an open dialog is waited for, until the time is up`() async throws {
    let desktop = try await PrivateDesktop(.packaged(answer: "never"))
    let portal = portal(desktop)
    let task = Task { await portal.request(PortalRequest(timeout: .seconds(300))).outcome }
    #expect(await desktop.line()?.hasPrefix("||") == true)
    task.cancel()
    #expect(await task.value == .cancelled)
    // The portal forwards the end of the request to the dialog.
    #expect(await desktop.line() == "closed")
  }

  @Test func `tells of each change of its store`() async throws {
    let desktop = try await PrivateDesktop(.packaged(answer: "no"))
    let portal = portal(desktop)
    try await portal.store(.yes, for: "org.example.Booth")
    var permissions = portal.permissions(of: "org.example.Booth").makeAsyncIterator()
    #expect(await permissions.next() == .answer(.yes))
    try await portal.store(.no, for: "org.example.Other")
    try await portal.store(.no, for: "org.example.Booth")
    #expect(await permissions.next() == .answer(.no))
    try await portal.store(nil, for: "org.example.Booth")
    #expect(await permissions.next() == .nothing)
    desktop.bus.stop()
    #expect(await permissions.next() == nil)
  }
}
