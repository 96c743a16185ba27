/// How long a program waits for the bus and for others on it.
struct ApplicationTimes: Hashable, Sendable {
  /// For the bus itself, and for a service that shows notifications.
  var answer = Duration.seconds(5)
  /// For an instance that runs.
  var handOver = Duration.seconds(10)
  /// Between two attempts to reach a bus that went away: the first time, which doubles, and the
  /// longest.
  var firstRetry = Duration.milliseconds(250)
  var longestRetry = Duration.seconds(60)
}
