internal import LinuxDevices
package import MessageBus

/// The program `devaccess-broker`.
package enum BrokerProgram {
  /// The messages of callers are short; the bus's own lists are not read.
  package static let limits = BusLimits(text: BrokerCalls.longestPath, values: 256, depth: 6)

  /// Serves the name on the system bus until nothing is left to do.
  ///
  /// - Returns: Why it could not; `nil` after an end of its own accord.
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
