import AccessBroker
import AccessModel
import Foundation
import Glibc
import LinuxDevices
import LinuxTestSupport
import MessageBus
import Synchronization
import Testing

/// Devices whose drivers block in open(2).
@Suite(.serialized, .timeLimit(.minutes(5))) struct `A broker and a driver that waits` {
  private let start = ContinuousClock.now

  private var limits: BrokerLimits {
    var limits = BrokerLimits()
    (limits.openings, limits.openingsOfDevice) = (4, 2)
    // All requests are sent at the same time.
    limits.burstOfUser = 1_000
    return limits
  }

  @Test func `takes two threads in many rounds, and leaves none and no descriptor`() async throws {
    let driver = try WaitingDriver()
    let threads = try OpeningThreads(limits, open: driver.open)
    var broker = try BrokerEvents.broker(limits, threads: threads)
    for round in 0..<200 {
      let first = UInt64(round) * 3 + 1
      for ticket in first..<first + 2 {
        BrokerEvents.ask(&broker, ":1.\(ticket)", ticket: ticket, at: start)
        #expect(broker.take(BrokerEvents.yes(ticket), at: start).isEmpty)
      }
      #expect(threads.count == 2)
      BrokerEvents.ask(&broker, ":1.\(first + 2)", ticket: first + 2, at: start)
      let third = broker.take(BrokerEvents.yes(first + 2), at: start)
      #expect(BrokerEvents.word(third) == "TooManyRequests")
      let isLate = round.isMultiple(of: 2)
      if isLate {
        #expect(await eventually { driver.threads == 2 })
        #expect(broker.deadline == start + limits.openingTime)
        let ends = broker.take(.timeReached, at: start + limits.openingTime)
        #expect(ends.count == 2)
        #expect(BrokerEvents.word(ends) == "Failed")
        #expect(threads.count == 2)
      }
      #expect(await driver.release { threads.count == 0 })
      let opened = broker.take(.woken, at: start)
      #expect(opened.count == (isLate ? 0 : 2))
      if !isLate {
        for ticket in first..<first + 2 {
          let answer = broker.take(BrokerEvents.number(1000, ticket), at: start)
          #expect(BrokerEvents.word(answer) == "values")
        }
      }
    }
    #expect(await eventually { driver.descriptors == 0 })
    #expect(await eventually { driver.threads == 0 })
    #expect(driver.allThreads == 400)
  }

  @Test(arguments: ["user", "process", "bus", "device", "connection"])
  func `hands nothing over when the caller or the device changed during the request`(
    what: String
  ) async throws {
    let driver = try WaitingDriver()
    let known = Mutex(BrokerBus.null)
    let threads = try OpeningThreads(limits, open: driver.open)
    var broker = try BrokerEvents.broker(limits, threads: threads) { number in
      known.withLock { $0.number == number ? $0 : nil }
    }
    let caller = try StartedProgram(["/bin/sleep", "1000"])
    BrokerEvents.ask(&broker, ":1.1", ticket: 1, process: caller.number, at: start)
    #expect(broker.take(BrokerEvents.yes(1), at: start).isEmpty)
    // Wait for the thread, because a change before its first check is another case.
    #expect(await eventually { driver.threads == 1 })
    switch what {
    case "process":
      caller.send(SIGKILL)
      _ = caller.end()
    case "device":
      known.withLock { device in
        device = KnownDevice(
          kind: .camera, node: device.node, number: device.number, sysfsPath: "/sys/other",
          name: nil)
      }
    case "connection":
      let orders = broker.take(BrokerEvents.gone(":1.1"), at: start)
      #expect(orders.count == 1)
    default: break
    }
    #expect(await driver.release { threads.count == 0 })
    let opened = broker.take(.woken, at: start)
    #expect(opened.count == (what == "connection" ? 0 : 1))
    let answer: BusEvent =
      what == "bus"
      ? .answered(ticket: 1, .failure(.timedOut))
      : BrokerEvents.number(what == "user" ? 1001 : 1000, 1)
    let words = ["device": "Changed", "connection": ""]
    #expect(BrokerEvents.word(broker.take(answer, at: start)) == words[what] ?? "Failed")
    #expect(await eventually { driver.descriptors == 0 })
  }

  @Test(.requiresBus) func `serves another caller meanwhile, and tells the first one in time`()
    async throws
  {
    let driver = try WaitingDriver()
    let bus = try PrivateBus()
    var limits = limits
    limits.openingsOfDevice = 1
    limits.openingTime = .seconds(2)
    let zero = KnownDevice(
      kind: .camera, node: "/dev/zero", number: DeviceNumber(major: 1, minor: 5),
      sysfsPath: "/sys/devices/virtual/mem/zero", name: nil)
    let threads = try OpeningThreads(limits, open: driver.open)
    let system = try await BrokerBus(bus, .yes, limits: limits, threads: threads) { number in
      [BrokerBus.null, zero].first { $0.number == number }
    }
    async let first = system.outcome()
    #expect(await eventually { threads.count == 1 })
    #expect(await system.outcome(BrokerBus.request(zero.node, zero.number)) == .granted)
    #expect(await system.outcome() == .failed("busy: too many devices are being opened"))
    #expect(await first == .failed("the device did not open in time"))
    #expect(threads.count == 1)
    #expect(await driver.release { threads.count == 0 })
    #expect(await eventually { driver.descriptors == 0 })
    #expect(system.lines.all.count == 3)
  }
}
