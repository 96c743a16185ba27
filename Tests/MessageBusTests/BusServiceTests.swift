import Foundation
import LinuxTestSupport
import MessageBus
import Synchronization
import Testing

/// A service that the bus starts because calls are waiting for it.
@Suite(.requiresBus, .timeLimit(.minutes(5))) struct `A service on a bus` {
  private static let name = "org.example.Late"

  /// Answers a number of calls, and then ends.
  private struct Answering: BusServing {
    var left: Int
    var deadline: ContinuousClock.Instant? { nil }

    mutating func take(_ event: BusEvent, at now: ContinuousClock.Instant) -> [BusOrder] {
      guard case .called(_, let ticket) = event else { return [] }
      left -= 1
      return [.answer(ticket: ticket, .values([]))] + (left == 0 ? [.end] : [])
    }
  }

  private static func call(_ text: String) -> BusCall {
    BusCall(name, "/", name, "Ask", [.text(text)])
  }

  @Test func `keeps few and small calls until it has its name, and refuses the others`()
    async throws
  {
    // The program that the bus starts takes no name, so the calls wait for the service in this
    // process.
    let bus = try PrivateBus { _ in
      [
        "\(Self.name).service": "[D-BUS Service]\nName=\(Self.name)\nExec=/bin/true\n"
      ]
    }
    let address = BusAddress.at(bus.address)
    let ends = AtomicCount()
    let client = try BusClient(address)
    let large = Self.call(String(repeating: "x", count: 1 << 20))
    let errors = try await withThrowingTaskGroup(of: String?.self) { group in
      for index in 0..<71 {
        let call = index == 0 ? large : Self.call("small")
        group.addTask {
          do throws(BusFailure) {
            _ = try await client.call(call, within: .seconds(100))
            return nil
          } catch {
            return "\(error.name) \(index == 0)"
          }
        }
      }
      // After the bus has answered, the calls that were sent earlier are waiting there.
      try await Task.sleep(for: .milliseconds(300))
      _ = try await client.call(.bus("GetId", []), within: .seconds(100))
      Thread.detachNewThread {
        do throws(BusFailure) {
          var service = try BusService(
            Self.name, on: address, rules: [], limits: BusLimits(text: 4096, values: 16, depth: 4))
          var part = Answering(left: 64)
          try service.run(&part)
          ends.add()
        } catch {
          Issue.record(error)
        }
      }
      return try await group.reduce(into: [String]()) { errors, error in
        if let error { errors.append(error) }
      }
    }
    #expect(await eventually { ends.value == 1 })
    let limits = "org.freedesktop.DBus.Error.LimitsExceeded"
    #expect(errors.sorted() == Array(repeating: "\(limits) false", count: 6) + ["\(limits) true"])
  }
}
