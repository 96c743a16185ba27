/// Misuse of routers.
enum RouterProblem {
  /// Reports a misuse from a task, since a blueprint may use a router under its store's lock.
  static func report(_ problem: String) {
    let sink = Contractors().problemSink
    Task.detached { sink.write(problem) }
  }
}
