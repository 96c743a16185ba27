/// The limits on simultaneous requests, and on their duration.
package struct BrokerLimits: Hashable, Sendable {
  /// The maximum number of waiting requests of one connection.
  package var requestsOfCaller = 4
  /// The maximum number of waiting requests of one user.
  package var requestsOfUser = 16
  /// The maximum number of requests of one user after a pause; in the long run, ``rateOfUser`` per
  /// second.
  ///
  /// For each request, the broker scans the devices while all other requests wait.
  package var burstOfUser = 60
  package var rateOfUser = 5
  /// The maximum number of waiting requests.
  package var requests = 64
  /// The longest time to wait for the user.
  package var patience = Duration.seconds(300)
  /// The maximum number of threads that open devices; with all other threads, it must be below the
  /// unit's `TasksMax`.
  package var openings = 12
  /// The maximum number of threads that open the same device.
  package var openingsOfDevice = 3
  /// The longest time to wait for a driver to open a device.
  package var openingTime = Duration.seconds(10)
  /// The time without a request after which the broker exits.
  package var idleTime = Duration.seconds(60)

  package init() {}
}
