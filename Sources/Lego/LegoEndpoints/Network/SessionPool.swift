internal import Foundation
internal import Synchronization

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// The URL sessions for requests of one kind, and the exchanges that run on them.
///
/// A session retains its delegate, which is the pool, until the session is invalidated. The owner
/// of a pool must therefore close or abandon it.
final class SessionPool: NSObject, Sendable {
  private struct State {
    /// The running exchanges, keyed by the identities of their tasks.
    ///
    /// The tasks are retained so that their identities stay unique.
    var running: [ObjectIdentifier: (task: URLSessionTask, exchange: Exchange)] = [:]
    var waiting: [(exchange: Exchange, request: URLRequest)] = []
    var shared: URLSession?
    /// The number of sessions that have not ended.
    var sessions = 0
    var isClosed = false
    var closeContinuations: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())
  private let connections: Int
  private let sharesConnections: Bool
  /// The queue on which sessions and tasks are created.
  ///
  /// Creating them can block, because the session's thread may be busy with a long body. Swift
  /// tasks share only a few threads, which must not be blocked.
  private let creationQueue = DispatchQueue(label: "endpoints.creation")

  /// Creates a pool that opens no connection before the first request.
  ///
  /// - Parameters:
  ///   - connections: The maximum number of connections per host if they are shared, or in the
  ///     whole pool if they are not.
  ///   - sharesConnections: Pass `true` to use one session for all requests, or `false` to give
  ///     each request its own session, and therefore a new connection.
  init(connections: Int, sharesConnections: Bool) {
    self.connections = connections
    self.sharesConnections = sharesConnections
  }

  /// Runs an exchange, and returns the response.
  func run(_ exchange: Exchange, _ request: URLRequest) async throws(EndpointError)
    -> EndpointResponse
  {
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        guard exchange.wait(continuation) else { return }
        creationQueue.async {
          self.state.withLock { $0.waiting.append((exchange, request)) }
          self.serve()
        }
      }
    } onCancel: {
      exchange.stop(.cancelled, "the task was cancelled")
    }
    return try outcome.get()
  }

  /// Starts the exchanges that are waiting, as long as the pool has room.
  private func serve() {
    while let (exchange, request) = takeNext() {
      if exchange.isOver { continue }
      guard let session = session() else {
        exchange.stop(.closed, "the client was closed")
        continue
      }
      let task = session.dataTask(with: request)
      state.withLock { $0.running[ObjectIdentifier(task)] = (task, exchange) }
      if exchange.begin(task) {
        task.resume()
      } else {
        remove(task)
        Exchange.cancel(task)
      }
      // The session is invalidated when its only task has ended.
      if !sharesConnections { session.finishTasksAndInvalidate() }
    }
  }

  private func takeNext() -> (Exchange, URLRequest)? {
    state.withLock { state in
      let hasRoom = sharesConnections || state.isClosed || state.sessions < connections
      return hasRoom && !state.waiting.isEmpty ? state.waiting.removeFirst() : nil
    }
  }

  /// Returns the session for the next request, or `nil` if the pool is closed.
  private func session() -> URLSession? {
    let (shared, isClosed) = state.withLock { state in
      if state.shared == nil, !state.isClosed { state.sessions += 1 }
      return (state.shared, state.isClosed)
    }
    if isClosed { return nil }
    if let shared { return shared }
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = connections
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.urlCache = nil
    configuration.urlCredentialStorage = nil
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    let session = URLSession(configuration: configuration, delegate: self, delegateQueue: queue)
    if sharesConnections { state.withLock { $0.shared = session } }
    return session
  }

  /// Stops all exchanges, and waits until all sessions have ended and their connections are closed.
  func close() async {
    await withCheckedContinuation { continuation in
      creationQueue.async { self.end(continuation) }
    }
  }

  /// Stops all exchanges without waiting.
  func abandon() {
    creationQueue.async { self.end(nil) }
  }

  private func end(_ continuation: CheckedContinuation<Void, Never>?) {
    let (shared, exchanges, isOver) = state.withLock { state in
      state.isClosed = true
      let isOver = state.sessions == 0
      if let continuation, !isOver { state.closeContinuations.append(continuation) }
      let exchanges = state.waiting.map(\.exchange) + state.running.values.map(\.exchange)
      defer { (state.shared, state.waiting) = (nil, []) }
      return (state.shared, exchanges, isOver)
    }
    for exchange in exchanges { exchange.stop(.closed, "the client was closed") }
    shared?.finishTasksAndInvalidate()
    if isOver { continuation?.resume() }
  }

  /// Records the end of a session, and completes pending calls to `close()` if it was the last
  /// session.
  private func ended() {
    let closeContinuations = state.withLock { state in
      state.sessions -= 1
      guard state.isClosed, state.sessions == 0 else {
        return [] as [CheckedContinuation<Void, Never>]
      }
      defer { state.closeContinuations = [] }
      return state.closeContinuations
    }
    for continuation in closeContinuations { continuation.resume() }
    if !sharesConnections { creationQueue.async { self.serve() } }
  }

  private func exchange(_ task: URLSessionTask) -> Exchange? {
    state.withLock { $0.running[ObjectIdentifier(task)]?.exchange }
  }

  @discardableResult private func remove(_ task: URLSessionTask) -> Exchange? {
    state.withLock { $0.running.removeValue(forKey: ObjectIdentifier(task))?.exchange }
  }
}

extension SessionPool: URLSessionDataDelegate {
  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    exchange(task)?.answerRedirect(response, completionHandler)
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    if let response = response as? HTTPURLResponse { exchange(dataTask)?.receive(response) }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    exchange(dataTask)?.receive(data)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64,
    totalBytesSent: Int64, totalBytesExpectedToSend: Int64
  ) {
    exchange(task)?.sent(totalBytesSent, of: totalBytesExpectedToSend)
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    remove(task)?.finish(task, error)
  }

  func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
    ended()
  }
}
