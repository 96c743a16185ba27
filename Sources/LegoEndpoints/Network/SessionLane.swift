internal import Foundation
internal import FoundationNetworking
internal import Synchronization

/// One long-lived session, and the exchanges that run on it.
///
/// A session keeps its delegate, and its thread, until it is invalidated; whoever makes a lane has
/// to close it.
final class SessionLane: NSObject, Sendable {
  private struct State {
    var exchanges: [Int: Exchange] = [:]
    var waiters: [CheckedContinuation<Void, Never>] = []
    var isEnding = false
    var isInvalid = false
  }

  private let state = Mutex(State())
  /// The session; `nil` before the first request, and after the end.
  ///
  /// No callback takes this lock.
  private let session = Mutex<(session: URLSession?, isClosed: Bool)>((nil, false))
  private let connections: Int
  /// Where tasks are made.
  ///
  /// That waits for the session's thread, which may be busy with a long body;
  /// the threads of Swift's tasks are too few to wait there.
  private let making = DispatchQueue(label: "endpoints.making")

  /// Creates a lane, which opens nothing before it is used.
  init(connections: Int) {
    self.connections = connections
  }

  /// Runs an exchange.
  func run(_ exchange: Exchange, _ request: URLRequest) async throws(EndpointError)
    -> EndpointResponse
  {
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        guard exchange.wait(continuation) else { return }
        making.async { self.start(exchange, request) }
      }
    } onCancel: {
      exchange.stop(.cancelled, "the task was cancelled")
    }
    return try outcome.get()
  }

  private func start(_ exchange: Exchange, _ request: URLRequest) {
    if exchange.isOver { return }
    let task = session.withLock { state -> URLSessionTask? in
      if state.isClosed { return nil }
      let session = state.session ?? makeSession()
      state.session = session
      let task = session.dataTask(with: request)
      self.state.withLock { $0.exchanges[task.taskIdentifier] = exchange }
      return task
    }
    guard let task else { return exchange.stop(.closed, "the client was closed") }
    if exchange.begin(task) {
      task.resume()
    } else {
      remove(task)
      Exchange.cancel(task)
    }
  }

  private func makeSession() -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = connections
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.urlCache = nil
    configuration.urlCredentialStorage = nil
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    return URLSession(configuration: configuration, delegate: self, delegateQueue: queue)
  }

  /// Stops all exchanges, and waits until the session has ended and its connections are closed.
  func close() async {
    await withCheckedContinuation { continuation in
      making.async { self.end(continuation) }
    }
  }

  /// Ends without waiting, once nothing runs any more.
  func abandon() {
    making.async { self.end(nil) }
  }

  private func end(_ waiter: CheckedContinuation<Void, Never>?) {
    let ended = session.withLock { state in
      defer { state = (nil, true) }
      return state.session
    }
    let (running, isOver) = state.withLock { state in
      // One that never began is over, and so is one that has ended.
      let isOver = state.isInvalid || (ended == nil && !state.isEnding)
      state.isEnding = state.isEnding || ended != nil
      if let waiter, !isOver { state.waiters.append(waiter) }
      return (Array(state.exchanges.values), isOver)
    }
    for exchange in running { exchange.stop(.closed, "the client was closed") }
    ended?.finishTasksAndInvalidate()
    if isOver { waiter?.resume() }
  }

  private func exchange(_ task: URLSessionTask) -> Exchange? {
    state.withLock { $0.exchanges[task.taskIdentifier] }
  }

  @discardableResult private func remove(_ task: URLSessionTask) -> Exchange? {
    state.withLock { $0.exchanges.removeValue(forKey: task.taskIdentifier) }
  }
}

extension SessionLane: URLSessionDataDelegate {
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
    let waiters = state.withLock { state in
      state.isInvalid = true
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }
}
