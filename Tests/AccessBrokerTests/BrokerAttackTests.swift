import AccessBroker
import AccessModel
import Foundation
import Glibc
import LinuxDevices
import LinuxTestSupport
import MessageBus
import Synchronization
import Testing

/// Callers that request more than they are allowed.
@Suite(.requiresBus, .serialized, .timeLimit(.minutes(5))) struct `A broker under attack` {
  /// Creates a directory below `/dev` in which any user may write.
  private func directory() throws -> TemporaryDirectory { try TemporaryDirectory(in: "/dev/shm") }

  @Test func `asks nobody about what is no device that it knows`() async throws {
    let place = try directory()
    try Data("x".utf8).write(to: URL(filePath: "\(place.path)/file"))
    try FileManager.default.createSymbolicLink(
      atPath: "\(place.path)/link", withDestinationPath: "/dev/null")
    try FileManager.default.createSymbolicLink(
      atPath: "\(place.path)/dev", withDestinationPath: "/dev")
    // The broker considers each of these paths a known device, as if udev had been deceived.
    let bus = try PrivateBus()
    let asked = Mutex("/dev/null")
    let system = try await BrokerBus(bus, .yes) { number in
      KnownDevice(
        kind: .camera, node: asked.withLock { $0 }, number: number, sysfsPath: "/sys/x", name: nil)
    }
    let paths = [
      "\(place.path)/file", "\(place.path)/link", "\(place.path)/dev/null", place.path,
      "\(place.path)/missing", "/dev/../dev/null", "/dev/./../dev/null", "/dev/null/", "/dev/",
    ]
    for path in paths {
      asked.withLock { $0 = path }
      guard case .unsuitable = await system.outcome(BrokerBus.request(path)) else {
        // Only this path names the device itself, without a link.
        #expect(path == "/dev/null/", "\(path)")
        continue
      }
    }
    let numbers = [DeviceNumber(major: 1, minor: 5), DeviceNumber(major: .max, minor: .max)]
    asked.withLock { $0 = "/dev/null" }
    for number in numbers {
      #expect(
        await system.outcome(BrokerBus.request("/dev/null", number))
          == .unsuitable("this path has no device that the broker opens"))
    }
  }

  @Test func `does not open a device that it does not know, or under another name`() async throws {
    let bus = try PrivateBus()
    let system = try await BrokerBus(bus, .yes)
    for (path, minor) in [("/dev/zero", UInt32(5)), ("/dev/zero", 3), ("/dev/null", 5)] {
      let request = BrokerBus.request(path, DeviceNumber(major: 1, minor: minor))
      guard case .unsuitable = await system.outcome(request) else {
        Issue.record("\(path) \(minor)")
        continue
      }
    }
    #expect(system.authority?.questions.isEmpty == true)
  }

  @Test func `refuses arguments that are none`() async throws {
    let bus = try PrivateBus()
    let system = try await BrokerBus(bus, .yes)
    let client = try BusClient(system.address)
    let (one, three) = (BusArgument.unsigned(1), BusArgument.unsigned(3))
    let wrong: [[BusArgument]] = [
      [], [.text("/dev/null")], [.text("/dev/null"), .text("read"), one],
      [.text("/dev/null"), .text("read"), one, three, three],
      [.text("/dev/null"), .text("read"), .wide(1), .wide(3)],
      [.variant(.text("/dev/null")), .text("read"), one, three],
      [.text("/dev/null"), .text("execute"), one, three],
      [.text("/dev/null"), .text(""), one, three],
      [.text("dev/null"), .text("read"), one, three], [.text(""), .text("read"), one, three],
      [.text("/etc/shadow"), .text("read"), one, three],
      [.text("/dev/nu\nll"), .text("read"), one, three],
      [.text("/dev/nüll"), .text("read"), one, three],
      [.text("/dev/" + String(repeating: "x", count: 1 << 20)), .text("read"), one, three],
      [.text("/dev/null"), .text(String(repeating: "r", count: 1 << 20)), one, three],
      [.array(of: "s", Array(repeating: .text("/dev/null"), count: 100_000))],
    ]
    for arguments in wrong {
      let call = BusCall(
        BrokerCalls.name, BrokerCalls.object, BrokerCalls.name, BrokerCalls.method, arguments)
      let failure = await #expect(throws: BusFailure.self) {
        try await client.call(call, within: .seconds(100))
      }
      let names = [
        BrokerError.invalidArguments.name, "org.freedesktop.DBus.Error.LimitsExceeded",
      ]
      #expect(names.contains(failure?.name ?? ""), "\(arguments.first.debugDescription.prefix(80))")
    }
    for (path, interface, member) in [
      ("/", BrokerCalls.name, "Open"), (BrokerCalls.object, "org.example.Other", "Open"),
      (BrokerCalls.object, BrokerCalls.name, "Grant"),
    ] {
      let failure = await #expect(throws: BusFailure.self) {
        try await client.call(
          BusCall(BrokerCalls.name, path, interface, member), within: .seconds(100))
      }
      #expect(failure?.name == "org.freedesktop.DBus.Error.UnknownMethod")
    }
    #expect(system.authority?.questions.isEmpty == true)
    #expect(system.lines.all.isEmpty)
    #expect(await system.outcome() == .granted)
  }

  @Test func `opens nothing when the number is another device's after the question`() async throws {
    let bus = try PrivateBus()
    let known = Mutex(BrokerBus.null)
    let system = try await BrokerBus(
      bus, .yes, find: { number in known.withLock { $0.number == number ? $0 : nil } },
      meanwhile: {
        known.withLock {
          $0 = KnownDevice(
            kind: .camera, node: $0.node, number: $0.number, sysfsPath: "/sys/other", name: $0.name)
        }
      })
    #expect(await system.outcome() == .failed("the device changed during the request"))
  }

  @Test(.requiresRoot, arguments: ["again", "link", "other", "gone"])
  func `opens nothing when the node is swapped while polkit asks`(how: String) async throws {
    let node = "/dev/devaccess-test-\(UUID().uuidString)"
    guard unsafe mknod(node, S_IFCHR | 0o600, 0x103) == 0 else {
      try Test.cancel("device nodes cannot be made below /dev")
    }
    defer { _ = unsafe unlink(node) }
    let bus = try PrivateBus()
    let device = KnownDevice(
      kind: .camera, node: node, number: BrokerBus.null.number, sysfsPath: "/sys/x", name: nil)
    let swaps = Mutex(false)
    let system = try await BrokerBus(
      bus, .yes, find: { $0 == device.number ? device : nil },
      meanwhile: {
        guard swaps.withLock({ $0 }) else { return }
        _ = unsafe unlink(node)
        switch how {
        case "again": _ = unsafe mknod(node, S_IFCHR | 0o666, 0x103)
        case "link": _ = unsafe symlink("/dev/null", node)
        case "other": _ = unsafe mknod(node, S_IFCHR | 0o666, 0x105)
        default: break
        }
      })
    #expect(await system.outcome(BrokerBus.request(node)) == .granted)
    swaps.withLock { $0 = true }
    #expect(
      await system.outcome(BrokerBus.request(node))
        == .failed("the device changed during the request"))
  }

  @Test func `bears a thousand requests at once, and keeps nothing of them`() async throws {
    let bus = try PrivateBus()
    // No other test opens this device.
    let zero = KnownDevice(
      kind: .camera, node: "/dev/zero", number: DeviceNumber(major: 1, minor: 5),
      sysfsPath: "/sys/devices/virtual/mem/zero", name: nil)
    let system = try await BrokerBus(bus, .never, find: { $0 == zero.number ? zero : nil })
    let request = BrokerBus.request(zero.node, zero.number)
    let call = BrokerCalls.open(request)
    do {
      let clients = try (0..<10).map { _ in try BusClient(system.address) }
      let refused = AtomicCount()
      await withTaskGroup(of: Void.self) { group in
        for index in 0..<1_000 {
          group.addTask {
            do throws(BusFailure) {
              _ = try await clients[index % 10].call(call, within: .seconds(100))
              Issue.record("a descriptor was handed over")
            } catch {
              if error.name == BrokerError.tooManyRequests.name { refused.add() }
            }
          }
        }
        // Sixteen requests of one user wait; the others are refused immediately.
        #expect(await eventually { refused.value == 984 })
        #expect(system.authority?.questions.count == 16)
        #expect(Self.descriptors(of: zero.node) == 16)
        for client in clients { await client.close() }
        await group.waitForAll()
      }
      #expect(refused.value == 984)
    }
    #expect(await eventually { system.authority?.cancelled.count == 16 })
    #expect(await eventually { Self.descriptors(of: zero.node) == 0 })
    system.authority?.with { $0.conduct = .yes }
    #expect(await system.outcome(request) == .granted)
    #expect(await eventually { Self.descriptors(of: zero.node) == 0 })
  }

  /// Returns the number of descriptors of this process that refer to a path.
  private static func descriptors(of path: String) -> Int {
    let files = FileManager.default
    let names = (try? files.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return names.count { name in
      (try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")) == path
    }
  }
}
