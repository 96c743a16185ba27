import AccessBroker
import AccessModel
import Foundation
import LinuxDevices
import LinuxTestSupport
import MessageBus
import Synchronization

/// A private bus with a broker and a simulated polkit.
final class BrokerBus: Sendable {
  /// The device that the broker knows.
  static let null = KnownDevice(
    kind: .camera, node: "/dev/null", number: DeviceNumber(major: 1, minor: 3),
    sysfsPath: "/sys/devices/virtual/mem/null", name: "Nothing <b>$(x)</b>\u{1B}[2J")

  let address: BusAddress
  let authority: TestAuthority.Record?
  let lines = LogLines()
  private let ended = Mutex<[String]>([])

  /// The log messages of the broker.
  final class LogLines: Sendable {
    private let lines = Mutex<[String]>([])
    func append(_ line: String) { lines.withLock { $0.append(line) } }
    var all: [String] { lines.withLock { $0 } }
  }

  /// Starts the broker and the simulated polkit.
  ///
  /// - Parameters:
  ///   - bus: The bus, which the test keeps alive.
  ///   - conduct: How polkit answers; `nil` for a bus without polkit.
  ///   - limits: The limits of the broker.
  ///   - threads: The threads that open devices.
  ///   - find: Returns the known device with a number.
  ///   - meanwhile: Called while polkit asks the user.
  /// - Throws: An error if the broker cannot be started.
  init(
    _ bus: PrivateBus, _ conduct: TestAuthority.Conduct?, limits: BrokerLimits = BrokerLimits(),
    threads: OpeningThreads? = nil,
    find: @escaping KnownDevices.Find = { $0 == null.number ? null : nil },
    meanwhile: @escaping @Sendable () -> Void = {}
  ) async throws {
    address = .at(bus.address)
    authority = conduct.map { TestAuthority.Record($0, meanwhile: meanwhile) }
    if let authority {
      serve(TestAuthority.name, rules: []) { TestAuthority(authority) }
    }
    let lines = lines
    let threads = try threads ?? OpeningThreads(limits)
    serve(BrokerCalls.name, rules: Broker.rules) {
      Broker(limits: limits, threads: threads, find: find) { line, _ in lines.append(line) }
    }
    let client = try BusClient(address)
    for name in [BrokerCalls.name] + (conduct == nil ? [] : [TestAuthority.name]) {
      var isThere = false
      for _ in 0..<10_000 where !isThere && !brokerHasEnded {
        let reply = try await client.call(
          .bus("NameHasOwner", [.text(name)]), within: .seconds(100))
        isThere = reply.values.first?.boolean == true
        if !isThere { try await Task.sleep(for: .milliseconds(2)) }
      }
    }
  }

  private func serve<Part: BusServing & SendableMetatype>(
    _ name: String, rules: [String], _ make: @escaping @Sendable () -> Part
  ) {
    Thread.detachNewThread { [address, weak self] in
      var part = make()
      do throws(BusFailure) {
        var service = try BusService(
          name, on: address, rules: rules, limits: BrokerProgram.limits)
        try service.run(&part)
        self?.ended.withLock { $0.append(name) }
      } catch {}
    }
  }

  /// A Boolean value that indicates whether the broker has ended by itself.
  var brokerHasEnded: Bool { ended.withLock { $0.contains(BrokerCalls.name) } }

  var broker: SystemBroker { SystemBroker(address: address) }

  /// Returns a request for the device that the broker knows.
  static func request(
    _ path: String = "/dev/null", _ number: DeviceNumber = null.number,
    wanted: Permissions = [.read, .write], timeout: Duration = .seconds(100)
  ) -> BrokerRequest {
    BrokerRequest(path: path, device: number, wanted: wanted, timeout: timeout)
  }

  /// Returns the outcome of a request.
  func outcome(_ request: BrokerRequest = request()) async -> BrokerOutcome {
    await broker.open(request).outcome
  }
}
