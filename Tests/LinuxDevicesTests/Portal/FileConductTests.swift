import AccessModel
import Glibc
import LinuxTestSupport
import MessageBus
import Testing

@testable import LinuxDevices

/// Misbehaving file portals on a real bus: each produces an answer, and none hangs.
@Suite(
  .requiresBus, .timeLimit(.minutes(5)),
  .enabled(if: BuiltProgram.path("portal-service") != nil, "portal-service was not built"))
struct `A portal of files` {
  private static let long = Duration.seconds(200)

  private func reply(
    _ conduct: String, _ uris: [String] = ["file:///a.png"],
    _ request: PortalFileRequest = PortalFileRequest(title: "Choose", timeout: long)
  ) async throws -> PortalFileReply {
    let desktop = try await PrivateDesktop(.own(conduct: conduct, uris: uris))
    return await DesktopPortal(address: .at(desktop.bus.address)).choose(request)
  }

  @Test(arguments: [
    ("yes", PortalOutcome.granted), ("early", .granted), ("other-handle", .granted),
    ("no", .refused), ("forged", .refused), ("dismissed", .interrupted),
    ("forbidden", .forbidden),
    ("odd-code", .failed("the portal sent an invalid reply")),
    ("wrong-types", .failed("the portal sent an invalid reply")),
    ("wrong-uris", .failed("the portal sent an invalid reply")),
    ("no-uris", .failed("the portal sent an invalid reply")),
    ("flood", .failed("the portal sent an invalid reply")),
    ("wrong-reply", .failed("the portal's reply names no request")),
    ("crash", .failed("the portal exited before it answered")),
    ("crash-later", .failed("the portal exited before it answered")),
    ("error", .failed("\u{1B}[31mno")),
  ])
  func `is understood, however it behaves`(conduct: String, expected: PortalOutcome) async throws {
    let reply = try await reply(conduct)
    #expect(reply.outcome == expected)
    #expect(reply.paths == (expected == .granted ? ["/a.png"] : []))
  }

  @Test(arguments: ["silent", "silent-call"])
  func `that does not answer is waited for until the time is up`(conduct: String) async throws {
    let short = PortalFileRequest(title: "Choose", timeout: .milliseconds(300))
    #expect(try await reply(conduct, [], short) == PortalFileReply(.timedOut))
  }

  @Test func `names files, and what is none`() async throws {
    let reply = try await reply(
      "yes", ["file:///a%20b/%FF", "http://host/a", "file:///%2F", "file:///a%00", ""])
    #expect(reply.paths.map { ByteText($0).bytes } == [Array("/a b/".utf8) + [0xFF]])
    #expect(reply.unusable.map(\.uri) == ["http://host/a", "file:///%2F", "file:///a%00", ""])
    let thousands = try await self.reply("thousands", [])
    #expect(thousands.paths.count == PortalFileReply.mostFiles)
    #expect(!thousands.isComplete)
    let long = try await self.reply("long")
    #expect(long.paths == ["/a.png"])
    #expect(long.unusable == [UnusableURI("", reason: "it is not a string, or it is too long")])
    let mixed = try await self.reply("mixed-uris")
    #expect(mixed.paths == [])
    #expect(mixed.unusable.count == 1)
  }

  @Test func `cannot be asked for what no message holds`() async throws {
    for request in [
      PortalFileRequest(title: "a\0b"), PortalFileRequest(title: "", acceptLabel: "a\0b"),
      PortalFileRequest(title: "", application: "a\0b"),
    ] {
      let reply = try await reply("yes", [], request)
      #expect(reply == PortalFileReply(.failed("a text of the request contains a NUL byte")))
    }
    // A folder that no system call accepts is omitted.
    let folders = ["", "relative", "/a\0b", "/" + String(repeating: "a", count: 5_000)]
    for folder in folders {
      let request = PortalFileRequest(title: "Choose", folder: folder, timeout: Self.long)
      #expect(try await reply("yes", ["file:///a"], request).paths == ["/a"])
    }
  }

  @Test func `is told what to show`() async throws {
    let desktop = try await PrivateDesktop(.own(conduct: "options"))
    let portal = DesktopPortal(address: .at(desktop.bus.address))
    _ = await portal.choose(
      PortalFileRequest(
        title: "Choose", acceptLabel: "_Use", folder: "/home/alice/My Pictures",
        timeout: Self.long))
    #expect(await desktop.line() == "asked")
    // The folder ends with a zero byte, multiple files may be chosen, and there are two filters.
    #expect(await desktop.line() == "/home/alice/My Pictures|_Use|1|2")
    _ = await portal.choose(PortalFileRequest(title: "", timeout: Self.long))
    #expect(await desktop.line() == "asked")
    #expect(await desktop.line() == "||1|2")
  }

  @Test func `has its dialog taken back when nobody waits any more`() async throws {
    let desktop = try await PrivateDesktop(.own(conduct: "silent"))
    let task = Task { [address = desktop.bus.address] in
      await DesktopPortal(address: .at(address)).choose(
        PortalFileRequest(title: "Choose", timeout: .seconds(300))
      ).outcome
    }
    #expect(await desktop.line() == "asked")
    task.cancel()
    #expect(await desktop.line() == "closed")
    #expect(await task.value == .cancelled)
  }

  @Test func `has its dialog taken back when the time is up`() async throws {
    let desktop = try await PrivateDesktop.whereTimeIsUp { desktop, timeout in
      let request = PortalFileRequest(title: "Choose", timeout: timeout)
      let portal = DesktopPortal(address: .at(desktop.bus.address))
      #expect(await portal.choose(request).outcome == .timedOut)
    }
    #expect(await desktop?.line() == "asked")
    #expect(await desktop?.line() == "closed")
  }

  @Test func `is missing where there is no bus, or nothing on it`() async throws {
    let request = PortalFileRequest(title: "Choose", timeout: Self.long)
    let desktop = try await PrivateDesktop(.none)
    guard
      case .absent = await DesktopPortal(address: .at(desktop.bus.address)).choose(request).outcome
    else {
      Issue.record("a portal where there is none")
      return
    }
    let nowhere = DesktopPortal(address: .at("unix:path=/dev/shm/no-such-bus"))
    #expect(
      await nowhere.choose(request)
        == PortalFileReply(.absent("there is no message bus of the session")))
  }

  @Test func `behind a bus that says nothing is waited for, and no longer`() async throws {
    let bus = try SilentBus()
    let portal = DesktopPortal(address: .at(bus.address))
    let request = PortalFileRequest(title: "Choose", timeout: .milliseconds(200))
    #expect(await portal.choose(request).outcome == .timedOut)
  }

  @Test func `whose bus ends is no hang`() async throws {
    let desktop = try await PrivateDesktop(.own(conduct: "silent"))
    let portal = DesktopPortal(address: .at(desktop.bus.address))
    let task = Task { await portal.choose(PortalFileRequest(title: "Choose")).outcome }
    #expect(await desktop.line() == "asked")
    desktop.bus.stop()
    guard case .failed = await task.value else {
      Issue.record("\(await task.value)")
      return
    }
  }
}
