import AccessModel
import Glibc
import LinuxTestSupport
import MessageBus
import Testing

@testable import LinuxDevices

/// Uses a real xdg-desktop-portal and a simulated user.
@Suite(.requiresPortal, .timeLimit(.minutes(5)))
struct `The file chooser of Debian's portal` {
  private static let request = PortalFileRequest(
    title: "Choose pictures", acceptLabel: "_Use", folder: "/home/alice/My Pictures",
    timeout: .seconds(200))

  private func choose(
    _ desktop: PrivateDesktop, _ request: PortalFileRequest = Self.request
  ) async -> PortalFileReply {
    await DesktopPortal(address: .at(desktop.bus.address)).choose(request)
  }

  @Test(arguments: ["yes", "slow"])
  func `gives what a person chooses, each time`(answer: String) async throws {
    let uris = ["file:///home/alice/a%20b.png", "file:///%FF%C3%BC", "file:///etc/passwd"]
    let desktop = try await PrivateDesktop(.packaged(answer: answer, uris: uris))
    for _ in 0..<2 {
      let reply = await choose(desktop)
      #expect(reply.outcome == .granted)
      #expect(
        reply.paths.map { ByteText($0).bytes } == [
          Array("/home/alice/a b.png".utf8), [0x2F, 0xFF, 0xC3, 0xBC], Array("/etc/passwd".utf8),
        ])
      #expect(reply.unusable.isEmpty && reply.isComplete)
      // Multiple files may be chosen, and there are two filters. Version 1.16 forwards no folder.
      let line = await desktop.line()
      #expect(
        line == "||Choose pictures||_Use|1|2"
          || line == "||Choose pictures|/home/alice/My Pictures|_Use|1|2")
    }
  }

  @Test func `is asked without what a program does not name`() async throws {
    let desktop = try await PrivateDesktop(.packaged(answer: "yes", uris: ["file:///a"]))
    let reply = await choose(desktop, PortalFileRequest(title: "", timeout: .seconds(200)))
    #expect(reply.paths == ["/a"])
    #expect(await desktop.line() == "|||||1|2")
  }

  @Test(arguments: [
    ("no", PortalOutcome.refused), ("dismissed", .interrupted), ("crash", .interrupted),
    ("nonsense", .interrupted),
  ])
  func `tells the answers of a person apart`(answer: String, outcome: PortalOutcome) async throws {
    let desktop = try await PrivateDesktop(.packaged(answer: answer, uris: ["file:///a"]))
    #expect(await choose(desktop) == PortalFileReply(outcome))
  }

  /// The portal drops invalid answers from its backend, or forwards them; neither yields a file.
  @Test(arguments: ["wrong-uris", "no-uris"])
  func `gives no file for an answer without URIs`(answer: String) async throws {
    let desktop = try await PrivateDesktop(.packaged(answer: answer, uris: ["file:///a"]))
    let reply = await choose(desktop)
    #expect(reply.paths.isEmpty)
    #expect(reply == PortalFileReply(choosing: []) || reply.outcome != .granted, "\(reply)")
  }

  @Test func `hands on what is not the path of a file, which is told`() async throws {
    let uris = ["file:///a", "https://example.org/a.png", "file:///%00", "nonsense"]
    let desktop = try await PrivateDesktop(.packaged(answer: "yes", uris: uris))
    let reply = await choose(desktop)
    #expect(reply.outcome == .granted)
    #expect(reply.paths == ["/a"])
    #expect(reply.unusable.allSatisfy { uris.dropFirst().contains($0.uri) }, "\(reply)")
  }

  @Test func `is missing where nothing shows dialogs`() async throws {
    let desktop = try await PrivateDesktop(.packagedWithoutBackend)
    guard case .absent = await choose(desktop).outcome else {
      Issue.record("a file chooser without a backend")
      return
    }
  }

  @Test func `with an open dialog is waited for, until nobody waits`() async throws {
    let desktop = try await PrivateDesktop(.packaged(answer: "never"))
    let portal = DesktopPortal(address: .at(desktop.bus.address))
    let task = Task { await portal.choose(Self.request).outcome }
    #expect(await desktop.line()?.hasPrefix("||Choose pictures|") == true)
    task.cancel()
    #expect(await task.value == .cancelled)
    #expect(await desktop.line() == "closed")
    var short = Self.request
    short.timeout = .seconds(3)
    #expect(await choose(desktop, short).outcome == .timedOut)
  }
}
