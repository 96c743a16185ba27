/// How much the broker does at once, and for how long.
package struct BrokerLimits: Hashable, Sendable {
  /// How many requests of one connection wait at most.
  package var requestsOfCaller = 4
  /// How many requests of one user wait at most.
  package var requestsOfUser = 16
  /// How many requests of one user are taken at once after a pause, and how many a second in the long run:
  /// each of them has the broker look for the device while all others wait.
  package var burstOfUser = 60
  package var rateOfUser = 5
  /// How many requests wait at most.
  package var requests = 64
  /// How long a person may take.
  package var patience = Duration.seconds(300)
  /// How many threads open devices at most; together with the others below the unit's `TasksMax`.
  package var openings = 12
  /// How many of them open one device at most.
  package var openingsOfDevice = 3
  /// How long a driver may take to open a device.
  package var openingTime = Duration.seconds(10)
  /// After how long without a request it ends.
  package var idleTime = Duration.seconds(60)

  package init() {}
}
