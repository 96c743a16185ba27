import AccessModel
import Glibc
import LinuxTestSupport
import Testing

@testable import LinuxDevices

/// Conversations over sockets, with a peer that sends everything in advance and a real daemon.
@Suite struct `A PipeWire daemon` {
  /// Returns the graph of a daemon that has sent `bytes`, and closed its end if `isClosed`.
  private func ask(
    _ bytes: [UInt8], isClosed: Bool = false, limit: Duration = .seconds(20)
  ) -> Result<PipeWireGraph, Errno> {
    var ends: [Int32] = [0, 0]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    guard unsafe socketpair(AF_UNIX, type, 0, &ends) == 0 else { return .failure(.current) }
    _ = unsafe write(ends[1], bytes, bytes.count)
    if isClosed { shutdown(ends[1], Int32(SHUT_WR)) }
    defer { close(ends[1]) }
    do throws(Errno) {
      let daemon = PipeWireDaemon(adopting: try OwnedDescriptor(ends[0]), limit: limit)
      return .success(try daemon.answered().graph)
    } catch {
      return .failure(error)
    }
  }

  @Test func `answers with its objects`() throws {
    let bytes = PipeWireScript.messages.flatMap { $0.bytes(number: 0) }
    let graph = try ask(bytes).get()
    #expect(
      PipeWireRoutes(graph.objects).users(of: [31]).map(\.client) == [
        MediaClient(name: "zoom", processID: 12)
      ])
  }

  @Test func `does not keep anybody waiting`() {
    #expect(ask([], limit: .milliseconds(20)) == .failure(.timedOut))
    let half = PipeWireScript.messages[0].bytes(number: 0).dropLast(8)
    #expect(ask(Array(half), limit: .milliseconds(20)) == .failure(.timedOut))
  }

  @Test func `that goes away or says something else has said nothing`() {
    #expect(ask([], isClosed: true) == .failure(.protocolError))
    #expect(ask([UInt8](repeating: 7, count: 64), isClosed: true) == .failure(.protocolError))
    let none = [UInt8](repeating: 0, count: 16)
    #expect(ask(none) == .failure(.protocolError))
    #expect(throws: Errno.noSuchFile) { _ = try PipeWireDaemon("/nowhere/pipewire-0") }
    let long = "/" + String(repeating: "x", count: 200)
    #expect(throws: Errno.nameTooLong) { _ = try PipeWireDaemon(long) }
  }
}
