import AccessModel
import Glibc
import LinuxTestSupport
import Testing

@testable import LinuxDevices

/// Conversations over sockets, with a peer that has said everything before, and with a real daemon.
@Suite struct `A PipeWire daemon` {
  private typealias Script = `What PipeWire knows of devices`

  /// The daemon's end has said `bytes`, and is closed if `isClosed`.
  private func ask(
    _ bytes: [UInt8], isClosed: Bool = false, limit: Duration = .seconds(20)
  ) -> Result<PipeWireGraph, Errno> {
    var ends: [Int32] = [0, 0]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    guard unsafe socketpair(AF_UNIX, type, 0, &ends) == 0 else { return .failure(.current) }
    let daemon = PipeWireDaemon(adopting: ends[0], limit: limit)
    _ = unsafe write(ends[1], bytes, bytes.count)
    if isClosed { shutdown(ends[1], Int32(SHUT_WR)) }
    defer { close(ends[1]) }
    do throws(Errno) {
      return .success(try daemon.graph())
    } catch {
      return .failure(error)
    }
  }

  @Test func `answers with its objects`() throws {
    let bytes = Script.messages.flatMap { $0.bytes(number: 0) }
    let graph = try ask(bytes).get()
    #expect(graph.clients(of: 31) == [MediaClient(name: "zoom", processID: 12)])
  }

  @Test func `does not keep anybody waiting`() {
    #expect(ask([], limit: .milliseconds(20)) == .failure(.timedOut))
    let half = Script.messages[0].bytes(number: 0).dropLast(8)
    #expect(ask(Array(half), limit: .milliseconds(20)) == .failure(.timedOut))
  }

  @Test func `that goes away or says something else has said nothing`() {
    #expect(ask([], isClosed: true) == .failure(.protocolError))
    #expect(ask([UInt8](repeating: 7, count: 64), isClosed: true) == .failure(.protocolError))
    let none = [UInt8](repeating: 0, count: 16)
    #expect(ask(none) == .failure(.protocolError))
    #expect(throws: Errno.noSuchFile) { _ = try PipeWireDaemon("/nowhere/pipewire-0").graph() }
    let long = "/" + String(repeating: "x", count: 200)
    #expect(throws: Errno.nameTooLong) { _ = try PipeWireDaemon(long).graph() }
  }

  // MARK: A real one

  private static let hasPrograms = ["pipewire", "pw-cli", "pw-link"].allSatisfy {
    unsafe access("/usr/bin/\($0)", X_OK) == 0
  }

  private static func node(_ name: String, _ more: String) -> String {
    """
    create-node adapter { factory.name=support.null-audio-sink media.class=Audio/Sink \
    node.name=\(name) audio.position=[MONO] \(more) }
    """
  }

  @Test(
    .enabled(if: hasPrograms, "pipewire, pw-cli or pw-link is not installed"),
    .timeLimit(.minutes(2)))
  func `names the program that plays through it`() async throws {
    let directory = try TemporaryDirectory(in: "/tmp")
    let folder = "XDG_RUNTIME_DIR=\(directory.path)"
    // Each ends when this test closes its input, or ends itself.
    let daemon = try await ChildProcess(
      """
      exec 3<&0; \(folder) pipewire </dev/null >/dev/null 2>&1 & number=$!
      (cat <&3 >/dev/null; kill -9 $number) & exec cat <&3 >/dev/null
      """)
    defer { daemon.reap() }
    let speaker = Self.node(
      "speaker", "alsa.card=7 alsa.device=3 adapter.auto-port-config={mode=dsp}")
    let player = Self.node("player", "adapter.auto-port-config={mode=dsp monitor=true}")
    let programs = try await ChildProcess(
      """
      exec 3<&0
      until [ -S \(directory.path)/pipewire-0 ]; do sleep 0.05; done
      for node in '\(speaker)' '\(player)'; do
        (echo "$node"; cat <&3) | \(folder) pw-cli >/dev/null 2>&1 &
      done
      for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        \(folder) pw-link player:monitor_MONO speaker:playback_MONO 2>/dev/null && break
        sleep 0.2
      done
      exec cat <&3 >/dev/null
      """)
    defer { programs.reap() }
    let device = Script.device("/dev/snd/pcmC7D3p", "sound", "pcmC7D3p")
    var clients: [MediaClient] = []
    for _ in 0..<400 {
      if let graph = try? PipeWireDaemon("\(directory.path)/pipewire-0").graph() {
        clients = graph.nodes(of: device).flatMap(graph.clients)
        if clients.first?.isStreaming == true { break }
      }
      try await Task.sleep(for: .milliseconds(50))
    }
    #expect(clients.map(\.name) == ["pw-cli"])
    #expect(clients.first?.isStreaming == true)
    let number = try #require(clients.first?.processID)
    #expect(try BoundedFile.line("/proc/\(number)/comm") == "pw-cli")
  }
}
