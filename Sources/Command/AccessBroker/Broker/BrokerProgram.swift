internal import LinuxDevices
package import MessageBus

/// The program `devaccess-broker`.
package enum BrokerProgram {
  /// The limits for messages, which are small because the calls are short and the broker reads no
  /// lists from the bus.
  package static let limits = BusLimits(text: BrokerCalls.longestPath, values: 256, depth: 6)

  /// Serves the broker's name on the system bus until the broker is idle.
  ///
  /// - Returns: The reason for a failure; `nil` if the broker ended because it was idle.
  package static func run() -> String? {
    do throws(BusFailure) {
      var broker = Broker(threads: try OpeningThreads(), find: KnownDevices.ofSystem) {
        (line, fields) in
        Journal.log(line, fields, by: "devaccess-broker")
      }
      var service = try BusService(
        BrokerCalls.name, on: .system, rules: Broker.rules, limits: limits)
      try service.run(&broker)
      return nil
    } catch {
      return "cannot serve on the system bus: \(error)"
    }
  }
}
