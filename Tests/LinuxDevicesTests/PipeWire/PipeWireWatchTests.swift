import AccessModel
import Glibc
import LinuxTestSupport
import Testing

@testable import LinuxDevices

/// A daemon that a test simulates at the other end of a socket.
@Suite(.timeLimit(.minutes(5))) struct `Listening to a PipeWire daemon` {
  /// The daemon's end of a connection, and the watch at the other end.
  private final class Played {
    private let descriptor: Int32
    let watch: PipeWireWatch
    let count = AtomicCount()
    private(set) var input: [UInt8] = []

    init(budget: WorkBudget = WorkBudget()) throws {
      var ends: [Int32] = [0, 0]
      let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
      try SystemError.check(unsafe socketpair(AF_UNIX, type, 0, &ends), "socketpair")
      descriptor = ends[1]
      let bytes = PipeWireScript.messages.flatMap { $0.bytes(number: 0) }
      _ = unsafe write(descriptor, bytes, bytes.count)
      let daemon = PipeWireDaemon(
        adopting: try OwnedDescriptor(ends[0]), limit: .seconds(200))
      watch = try daemon.answered().watch(budget: budget) { [count] in count.add() }
      let graph = try #require(watch.graph)
      #expect(!watch.follow([PipeWireScript.camera], asIn: graph))
    }

    deinit { close(descriptor) }

    /// Sends bytes, and waits while the socket is full.
    ///
    /// - Returns: `true` if the other end is still open.
    @discardableResult
    func say(_ bytes: [UInt8]) -> Bool {
      var rest = bytes[...]
      while !rest.isEmpty {
        let written = unsafe rest.withUnsafeBytes { bytes in
          unsafe send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        }
        if written >= 0 {
          rest = rest.dropFirst(written)
        } else if errno == EAGAIN {
          var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          _ = unsafe poll(&entry, 1, -1)
        } else {
          return false
        }
      }
      return true
    }

    func say(_ messages: PipeWireMessage...) {
      say(messages.flatMap { $0.bytes(number: 0) })
    }

    /// Waits until everything that was sent has been read, which an answer confirms.
    func isHeard() {
      say(PipeWireMessage(0, 2, [.number(0), .number(77)]))
      let pong = PipeWireMessage(0, 3, [.number(0), .number(77)])
      while true {
        var start = 0
        while let size = PipeWireMessage.size(of: input[start...]), input.count - start >= size {
          let message = PipeWireMessage(parsing: input[start..<(start + size)])
          start += size
          if message == pong {
            input.removeFirst(start)
            return
          }
        }
        input.removeFirst(start)
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = unsafe poll(&entry, 1, -1)
        input += (try? SocketBytes.receive(from: descriptor)) ?? []
      }
    }

    /// Waits for a number of signals.
    func signals(_ number: Int) async throws {
      while count.value < number { try await Task.sleep(for: .milliseconds(1)) }
    }

    func closes() { shutdown(descriptor, Int32(SHUT_RDWR)) }
  }

  private let isGone = PipeWireMessage(2, 1, [.number(34)])

  @Test func `tells when a program leaves a device, and when another comes`() async throws {
    let daemon = try Played()
    daemon.say(isGone)
    try await daemon.signals(1)
    #expect(daemon.watch.graph?.use(of: PipeWireScript.camera)?.users == [])
    // A new client is queried, and counts once its name has arrived.
    daemon.say(
      PipeWireScript.global(50, "Client", ["pipewire.sec.pid": "13"]),
      PipeWireScript.global(51, "Node", ["client.id": "50"]),
      PipeWireScript.global(52, "Link", ["link.output.node": "31", "link.input.node": "51"]))
    daemon.isHeard()
    #expect(daemon.count.value == 1)
    daemon.say(
      PipeWireMessage(
        10, 0, [.number(0), .number(1), PipeWireScript.properties(["application.name": "cheese"])]),
      PipeWireMessage(0, 1, [.number(0), .number(3)]),
      PipeWireMessage(0, 1, [.number(0), .number(4)]))
    try await daemon.signals(2)
    #expect(
      daemon.watch.graph?.use(of: PipeWireScript.camera)?.users.map(\.client)
        == [MediaClient(name: "cheese", processID: 13)])
    #expect(daemon.count.value == 2)
  }

  @Test func `tells when a device stops to stream`() async throws {
    let daemon = try Played()
    daemon.say(PipeWireScript.info(3, state: 2))
    try await daemon.signals(1)
    #expect(daemon.watch.graph?.use(of: PipeWireScript.camera)?.activity == .idle)
  }

  @Test func `wakes nobody for what is about other devices`() throws {
    let daemon = try Played()
    daemon.say(
      PipeWireScript.info(3, state: 3), PipeWireScript.info(7, state: 3),
      PipeWireScript.global(60, "Link", ["link.output.node": "41", "link.input.node": "32"]),
      PipeWireScript.global(61, "Module", [:]), PipeWireMessage(2, 1, [.number(44)]))
    daemon.isHeard()
    #expect(daemon.count.value == 0)
    #expect(daemon.watch.graph?.objects[44] == nil)
  }

  @Test func `tells what changed while somebody looked`() throws {
    let daemon = try Played()
    let before = try #require(daemon.watch.graph)
    daemon.say(isGone)
    daemon.isHeard()
    let now = try #require(daemon.watch.graph)
    #expect(daemon.watch.follow([PipeWireScript.camera], asIn: before))
    #expect(!daemon.watch.follow([PipeWireScript.camera], asIn: now))
  }

  @Test func `tells the end of the daemon`() async throws {
    let daemon = try Played()
    daemon.closes()
    try await daemon.signals(1)
    #expect(daemon.watch.graph == nil)
    #expect(daemon.watch.follow([], asIn: PipeWireGraph()))
  }

  @Test(
    arguments: [
      [UInt8](repeating: 7, count: 32),
      [0, 0, 0, 0, 8, 0, 0, 0] + [UInt8](repeating: 9, count: 16),
    ]) func `ends with what is no message`(bytes: [UInt8]) async throws
  {
    let daemon = try Played()
    // The first message announces a large size. The rest never completes it, or is not a message.
    daemon.say(bytes + [UInt8](repeating: 0, count: bytes[0] == 7 ? 0x7_0707 : 0))
    try await daemon.signals(1)
    #expect(daemon.watch.graph == nil)
  }

  @Test func `does not wait for a daemon that does not read`() async throws {
    let daemon = try Played()
    let ping = PipeWireMessage(0, 2, [.number(0), .number(5)]).bytes(number: 0)
    let pings = (0..<100).flatMap { _ in ping }
    while daemon.say(pings) {}
    try await daemon.signals(1)
    #expect(daemon.watch.graph == nil)
  }

  @Test func `leaves a daemon that keeps it busy`() async throws {
    let daemon = try Played(budget: WorkBudget(most: 1 << 16, eachSecond: 1))
    let other = PipeWireScript.global(61, "Module", [:]).bytes(number: 0)
    let others = (0..<100).flatMap { _ in other }
    while daemon.say(others) {}
    try await daemon.signals(1)
    #expect(daemon.watch.graph == nil)
  }

  @Test func `earns its budget anew`() {
    var budget = WorkBudget(most: 10, eachSecond: 1 << 40)
    for _ in 0..<100 {
      let isEnough = budget.spend(10)
      #expect(isEnough)
      usleep(1)
    }
    let isEnough = budget.spend(11)
    #expect(!isEnough)
  }

  @Test func `leaves nothing open`() throws {
    var weak: [Weak] = []
    for _ in 0..<50 {
      let daemon = try Played()
      daemon.say(isGone)
      weak.append(Weak(value: daemon.watch))
    }
    #expect(weak.allSatisfy { $0.value == nil })
  }

  private struct Weak { weak var value: PipeWireWatch? }

  /// Waiting for the daemon would delay noticing who opens other devices.
  @Test func `a daemon that does not answer is not asked with every look`() throws {
    let server = try ListeningSocket()
    let path = server.path
    let sockets = PipeWireSocket(
      roots: MachineRoots(), environment: { $0 == "PIPEWIRE_REMOTE" ? path : nil },
      ownUser: geteuid())
    let watches = PipeWireWatches(sockets) {}
    func scan() -> Duration {
      let start = ContinuousClock.now
      #expect(watches.graph(of: geteuid()) == nil)
      return start.duration(to: .now)
    }
    let first = scan()
    #expect(first > .milliseconds(90))
    #expect(watches.takeWaited() > .milliseconds(90))
    for _ in 0..<5 { #expect(scan() < .milliseconds(50)) }
    #expect(watches.takeWaited() < .milliseconds(50))
  }
}
