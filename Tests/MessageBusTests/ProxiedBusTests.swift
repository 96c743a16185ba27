import Foundation
import Glibc
import LinuxTestSupport
import Testing

@testable import MessageBus

/// A bus with scripted answers for the first client that connects.
///
/// It sends the next answer for each line that it reads.
private final class ScriptedBus {
  private let socket: ListeningSocket

  init(_ answers: [String]) throws {
    socket = try ListeningSocket()
    Thread.detachNewThread { [socket] in
      let peer = socket.connection()
      defer { close(peer) }
      var byte: UInt8 = 0
      for answer in answers {
        while unsafe read(peer, &byte, 1) == 1, byte != UInt8(ascii: "\n") {}
        _ = unsafe send(peer, answer, answer.utf8.count, Int32(MSG_NOSIGNAL))
      }
    }
  }

  var address: String { socket.address }
}

/// Tests connections through xdg-dbus-proxy, and the handshake that it requires.
@Suite(.requiresBus, .timeLimit(.minutes(2))) struct `A bus behind a proxy` {
  private static let proxy = "/usr/bin/xdg-dbus-proxy"
  private static let hasProxy = unsafe access(proxy, X_OK) == 0
  private static let limits = BusLimits(text: 4096, values: 4096, depth: 8)

  private func names(_ connection: borrowing BusConnection) throws -> [BusValue] {
    try connection.call(
      .bus("ListNames", []), until: .now + .seconds(60), limits: Self.limits)
  }

  @Test(
    .enabled(if: hasProxy, "xdg-dbus-proxy(1), of the package of that name, is needed"),
    arguments: [false, true])
  func `is asked through the proxy of Flatpak`(isFiltered: Bool) async throws {
    let bus = try PrivateBus()
    let socket = "\(bus.path)/proxied"
    // Flatpak uses policies like these; the proxy sends its own query to the bus for each.
    let policies = ["org.freedesktop.DBus", "org.freedesktop.portal.*", "org.test.*"]
    let program = try StartedProgram(
      [Self.proxy, bus.address, socket]
        + (isFiltered ? ["--filter"] + policies.map { "--talk=\($0)" } : []))
    #expect(await eventually { unsafe access(socket, F_OK) == 0 })
    defer { program.send(SIGTERM) }
    for _ in 0..<20 {
      let connection = try BusConnection(.at("unix:path=\(socket)"), isProxied: true)
      let names = try names(connection)
      #expect(names.description.contains("org.freedesktop.DBus"))
    }
  }

  @Test func `is asked without a proxy, too`() throws {
    let bus = try PrivateBus()
    let before = OwnProcess.descriptorCount
    for _ in 0..<100 {
      let connection = try BusConnection(.at(bus.address), isProxied: true)
      #expect(try names(connection).description.contains("org.freedesktop.DBus"))
      let blocking = try BusConnection(.at(bus.address), isProxied: true)
      let answer = try blocking.call(
        .bus("GetId", []), within: .seconds(60), limits: Self.limits)
      #expect(answer.count == 1)
    }
    // Other tests also have descriptors open.
    #expect(OwnProcess.descriptorCount < before + 100)
  }

  @Test(arguments: [
    (["REJECTED EXTERNAL\r\n"], EACCES),
    (["DATA\r\n", "REJECTED\r\n"], EACCES),
    (["HELLO\r\n"], EPROTO),
    (["\u{0}\u{0}\r\n"], EPROTO),
    ([String(repeating: "x", count: 5000)], EPROTO),
    ([], ECONNRESET),
    (["DATA\r\n"], ECONNRESET),
    (["DATA\r\n", "OK 00000000000000000000000000000000\r\n"], ECONNRESET),
    (["DATA\r\n", "OK short\r\n"], EPROTO),
    (
      ["DATA\r\n", "OK 00000000000000000000000000000000\r\n", "AGREE_UNIX_FD\r\n", "x\n"],
      ECONNRESET
    ),
  ])
  func `that answers nonsense is an error`(answers: [String], errno: Int32) throws {
    let bus = try ScriptedBus(answers)
    let failure = #expect(throws: BusFailure.self) {
      _ = try BusConnection(.at(bus.address), isProxied: true)
    }
    #expect(failure?.errno == errno, "\(String(describing: failure))")
  }

  @Test func `that says nothing is waited for in vain`() throws {
    let bus = try SilentBus()
    let start = ContinuousClock.now
    let failure = #expect(throws: BusFailure.self) {
      _ = try BusConnection(.at(bus.address), isProxied: true)
    }
    #expect(failure == .timedOut)
    #expect(start.duration(to: .now) >= .seconds(5))
  }

  @Test func `that is not there is an error`() {
    let failure = #expect(throws: BusFailure.self) {
      _ = try BusConnection(.at("unix:path=/nonexistent/bus"), isProxied: true)
    }
    #expect(failure?.errno == ENOENT)
  }

  @Test(arguments: [
    ("unix:path=/run/bus", "/run/bus"),
    ("unix:guid=1,path=/run/a%20b", "/run/a b"),
    ("unix:abstract=x,guid=1", "\u{0}x"),
    ("tcp:host=a,port=1;unix:path=/b;unix:path=/c", "/b"),
    ("unix:path=/a%2", nil),
    ("unix:path=/a%zz", nil),
    ("unix:path=", nil),
    ("unix:path=/a%00b", nil),
    ("unix:runtime=yes", nil),
    ("", nil),
    ("unix:path=/" + String(repeating: "x", count: 200), nil),
  ])
  func `has the name of a socket`(address: String, name: String?) {
    #expect(BusSocketName(address: address)?.bytes == name.map { Array($0.utf8) })
  }
}
