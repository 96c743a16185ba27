/// What carries requests to servers: the network, or stubs.
protocol Transport: Sendable {
  /// Sends a request and waits for the response, whatever its status.
  ///
  /// It follows no redirect. When the task is cancelled it ends at once.
  func send(_ request: ServerRequest) async throws(EndpointError) -> ServerAnswer

  /// Whether the time limits of calls are to be kept by the clock; else it keeps them itself.
  var needsClock: Bool { get }

  /// Ends everything that runs, and waits for that.
  func close() async
}
