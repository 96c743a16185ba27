import AccessModel
import Glibc
import LinuxTestSupport
import MessageBus
import Testing

@testable import LinuxDevices

/// Misbehaving portals on a real bus: each produces an answer, and none hangs.
@Suite(
  .requiresBus, .timeLimit(.minutes(5)),
  .enabled(if: BuiltProgram.path("portal-service") != nil, "portal-service was not built"))
struct `A camera portal` {
  /// Sends a request, and closes the descriptor if one is returned.
  private func ask(
    _ desktop: PrivateDesktop, _ request: PortalRequest = PortalRequest()
  ) async -> PortalOutcome {
    await DesktopPortal(address: .at(desktop.bus.address)).request(request).outcome
  }

  private func outcome(
    _ conduct: String, _ request: PortalRequest = PortalRequest()
  ) async throws -> PortalOutcome {
    await ask(try await PrivateDesktop(.own(conduct: conduct)), request)
  }

  @Test(arguments: [
    ("yes", PortalOutcome.granted), ("early", .granted), ("other-handle", .granted),
    ("no", .refused), ("forged", .refused), ("dismissed", .interrupted),
    ("forbidden", .forbidden), ("remote-refused", .withheld),
    ("odd-code", .failed("the portal sent an invalid reply")),
    ("wrong-types", .failed("the portal sent an invalid reply")),
    ("wrong-reply", .failed("the portal's reply names no request")),
    ("crash", .failed("the portal exited before it answered")),
    ("crash-later", .failed("the portal exited before it answered")),
    ("crash-opening", .failed("the portal exited before it answered")),
    ("no-descriptor", .failed("the portal returned no descriptor")),
    ("error", .failed("\u{1B}[31mno")),
  ])
  func `is understood, however it behaves`(conduct: String, expected: PortalOutcome) async throws {
    #expect(try await outcome(conduct) == expected)
  }

  @Test(arguments: ["silent", "silent-call", "silent-opening"])
  func `that does not answer is waited for until the time is up`(conduct: String) async throws {
    let short = PortalRequest(timeout: .milliseconds(300))
    #expect(try await outcome(conduct, short) == .timedOut)
  }

  @Test func `hands a descriptor over that no other program inherits`() async throws {
    let desktop = try await PrivateDesktop(.own(conduct: "yes"))
    let reply = await DesktopPortal(address: .at(desktop.bus.address)).request(PortalRequest())
    guard let remote = reply.takeDescriptor() else {
      Issue.record("nothing was handed over")
      return
    }
    let number = remote.release()
    defer { close(number) }
    #expect(fcntl(number, F_GETFD) & FD_CLOEXEC != 0)
    var bytes = [UInt8](repeating: 0, count: 16)
    #expect(unsafe read(number, &bytes, 16) == 5)
    #expect(String(decoding: bytes.prefix(5), as: UTF8.self) == "frame")
  }

  @Test func `has its dialog taken back when nobody waits any more`() async throws {
    let desktop = try await PrivateDesktop(.own(conduct: "silent"))
    let task = Task { [address = desktop.bus.address] in
      await DesktopPortal(address: .at(address)).request(PortalRequest(timeout: .seconds(300)))
        .outcome
    }
    #expect(await desktop.line() == "asked")
    task.cancel()
    #expect(await desktop.line() == "closed")
    #expect(await task.value == .cancelled)
  }

  @Test func `has its dialog taken back when the time is up`() async throws {
    let desktop = try await PrivateDesktop.whereTimeIsUp { desktop, timeout in
      #expect(await ask(desktop, PortalRequest(timeout: timeout)) == .timedOut)
    }
    #expect(await desktop?.line() == "asked")
    #expect(await desktop?.line() == "closed")
  }

  @Test func `gets the identifier of the program where it takes one`() async throws {
    let desktop = try await PrivateDesktop(.own(conduct: "registry"))
    let outcome = await ask(desktop, PortalRequest(application: "org.example.Booth"))
    #expect(outcome == .granted)
    #expect(await desktop.line() == "registered org.example.Booth")
    // A portal without the interface receives the request anyway.
    #expect(
      try await self.outcome("yes", PortalRequest(application: "org.example.Booth")) == .granted)
  }

  @Test func `is missing where there is no bus, or nothing on it`() async throws {
    let desktop = try await PrivateDesktop(.none)
    guard case .absent = await ask(desktop) else {
      Issue.record("a portal where there is none")
      return
    }
    #expect(DesktopPortal(address: .at(desktop.bus.address)).status(of: "") == PortalStatus())
    let nowhere = DesktopPortal(address: .at("unix:path=/dev/shm/no-such-bus"))
    #expect(
      await nowhere.request(PortalRequest()).outcome
        == .absent("there is no message bus of the session"))
    #expect(!nowhere.status(of: "").isReachable)
  }

  @Test func `behind a bus that says nothing is waited for, and no longer`() async throws {
    let bus = try SilentBus()
    let portal = DesktopPortal(address: .at(bus.address))
    #expect(
      await portal.request(PortalRequest(timeout: .milliseconds(200))).outcome == .timedOut)
    #expect(!portal.status(of: "").isReachable)
  }

  @Test func `whose bus ends is no hang`() async throws {
    let desktop = try await PrivateDesktop(.own(conduct: "silent"))
    let portal = DesktopPortal(address: .at(desktop.bus.address))
    let task = Task { await portal.request(PortalRequest()).outcome }
    #expect(await desktop.line() == "asked")
    desktop.bus.stop()
    guard case .failed = await task.value else {
      Issue.record("\(await task.value)")
      return
    }
  }

  @Test func `says whether it sees a camera`() async throws {
    for (conduct, isPresent) in [("yes", true), ("no-camera", false)] {
      let desktop = try await PrivateDesktop(.own(conduct: conduct))
      let status = DesktopPortal(address: .at(desktop.bus.address)).status(of: "")
      #expect(status.isReachable)
      #expect(status.isCameraPresent == isPresent)
      // No permission store runs here, so stored answers are unknown.
      guard case .unread = status.permission else {
        Issue.record("\(status.permission)")
        return
      }
    }
  }

  @Test func `leaves no descriptor open, whatever it answers`() async throws {
    let desktop = try await PrivateDesktop(.own(conduct: "yes"))
    #expect(await ask(desktop) == .granted)
    let before = OwnProcess.descriptorCount
    for _ in 0..<20 { #expect(await ask(desktop) == .granted) }
    #expect(await eventually { OwnProcess.leftNothing(openSince: before) })
  }
}
