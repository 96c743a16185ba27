internal import Foundation
internal import JSONText
internal import Synchronization

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// A request in progress, and the part of the response received so far.
final class Exchange: Sendable {
  typealias Outcome = Result<EndpointResponse, EndpointError>
  typealias Continuation = CheckedContinuation<Outcome, Never>

  private struct State {
    var continuation: Continuation?
    var task: URLSessionTask?
    var response: HTTPURLResponse?
    var total: Int?
    var body = Data()
    /// The error, if the exchange failed before a caller waited for its outcome.
    var early: EndpointError?
    var isOver = false
  }

  private let state = Mutex(State())
  private let request: ServerRequest
  private static let cancelling = DispatchQueue(label: "endpoints.cancelling")

  init(_ request: ServerRequest) {
    self.request = request
  }

  /// A Boolean value that indicates whether the exchange has ended.
  var isOver: Bool { state.withLock { $0.isOver } }

  /// Stores the continuation to resume when the exchange ends.
  ///
  /// - Returns: `true` if the continuation has been stored; `false` if the exchange had already
  ///   failed, in which case the continuation has been resumed.
  func wait(_ continuation: Continuation) -> Bool {
    let early = state.withLock { state in
      if state.early == nil { state.continuation = continuation }
      return state.early
    }
    if let early { continuation.resume(returning: .failure(early)) }
    return early == nil
  }

  /// Stores the session's task.
  ///
  /// - Returns: `true` if the caller must resume the task; `false` if the exchange has already
  ///   ended.
  func begin(_ task: URLSessionTask) -> Bool {
    state.withLock { state in
      if !state.isOver { state.task = task }
      return !state.isOver
    }
  }

  /// Ends the exchange immediately with an error, and cancels the session's task.
  func stop(_ code: EndpointError.Code, _ reason: String) {
    let task = end { .failure(error(code, reason, $0)) }
    if let task { Self.cancel(task) }
  }

  /// Ends the exchange with a timeout if the response header has not arrived.
  func expire() {
    let hasHeader = state.withLock { $0.response != nil }
    // A header that arrives at this moment is also too late.
    if !hasHeader { stop(.timedOut, "no response within \(request.responseLimit)") }
  }

  /// Stores the response header.
  ///
  /// If the header announces a body that exceeds the size limit, the exchange is stopped.
  func receive(_ response: HTTPURLResponse) {
    let total = response.expectedContentLength
    let isCompressed = response.value(forHTTPHeaderField: "Content-Encoding") != nil
    let isTooLarge = state.withLock { state in
      state.response = response
      state.total = total < 0 || isCompressed ? nil : Int(total)
      return request.method != .head && (state.total ?? 0) > request.byteLimit
    }
    if isTooLarge { stopTooLarge() }
  }

  /// Appends data to the response body, and reports the progress.
  ///
  /// If the body exceeds the size limit, the exchange is stopped instead.
  func receive(_ data: Data) {
    let (isTooLarge, progress) = state.withLock { state -> (Bool, EndpointProgress?) in
      if state.isOver { return (false, nil) }
      let room = max(0, request.byteLimit - state.body.count)
      state.body += data.prefix(room)
      return (
        data.count > room,
        EndpointProgress(.received, bytes: state.body.count, total: state.total)
      )
    }
    if isTooLarge {
      stopTooLarge()
    } else if let progress {
      request.progress?(progress)
    }
  }

  /// Reports that a part of the request body has been sent.
  func sent(_ bytes: Int64, of total: Int64) {
    request.progress?(
      EndpointProgress(.sent, bytes: Int(bytes), total: total > 0 ? Int(total) : nil))
  }

  /// Tells the session not to follow a redirect.
  ///
  /// The session's task then ends with the response that requested the redirect. If the exchange
  /// has ended, the session receives no answer, because it traps if its task has been cancelled.
  func answerRedirect(_ response: HTTPURLResponse, _ answer: (URLRequest?) -> Void) {
    state.withLock { state in
      guard !state.isOver else { return }
      state.response = response
      answer(nil)
    }
  }

  /// Ends the exchange after the session's task has ended.
  func finish(_ task: URLSessionTask, _ failure: (any Error)?) {
    end { state in
      if let failure {
        let (code, reason) = SessionError.codeAndReason(
          of: failure, afterHeader: state.response != nil)
        return .failure(error(code, reason, state))
      }
      guard let response = state.response ?? task.response as? HTTPURLResponse else {
        return .failure(error(.notHTTP, "there is no response", state))
      }
      return .success(make(response, state.body))
    }
  }

  private func stopTooLarge() {
    stop(.tooLarge, "the body has more than \(request.byteLimit) bytes")
  }

  /// Ends the exchange with an outcome, unless it has already ended.
  ///
  /// - Parameter outcome: Returns the outcome for the current state.
  /// - Returns: The session's task, or `nil` if there is none or the exchange had already ended.
  @discardableResult private func end(_ outcome: (State) -> Outcome) -> URLSessionTask? {
    let ended = state.withLock { state -> (Continuation?, Outcome, URLSessionTask?)? in
      if state.isOver { return nil }
      state.isOver = true
      let result = outcome(state)
      if state.continuation == nil, case .failure(let error) = result { state.early = error }
      defer { (state.continuation, state.task, state.body) = (nil, nil, Data()) }
      return (state.continuation, result, state.task)
    }
    guard let (continuation, result, task) = ended else { return nil }
    continuation?.resume(returning: result)
    return task
  }

  /// Cancels a session's task on a separate queue.
  ///
  /// Cancelling waits for the session's thread. That thread may be about to resume the Swift task
  /// that requests the cancellation, so cancelling on either thread could cause a deadlock.
  static func cancel(_ task: URLSessionTask) {
    cancelling.async { task.cancel() }
  }

  private func error(_ code: EndpointError.Code, _ reason: String, _ state: State) -> EndpointError
  {
    EndpointError(
      code, request.printable, reason, response: state.response.map { make($0, state.body) })
  }

  private func make(_ response: HTTPURLResponse, _ body: Data) -> EndpointResponse {
    var headers = HTTPHeaders()
    for (name, value) in response.allHeaderFields {
      if let name = name as? String, let value = value as? String { headers[name] = value }
    }
    return EndpointResponse(
      status: response.statusCode, headers: headers, body: body, url: request.url)
  }
}

/// Converts the errors of a session to codes and reasons.
enum SessionError {
  static func codeAndReason(
    of error: any Error, afterHeader: Bool
  ) -> (EndpointError.Code, String) {
    let error = error as NSError
    let text = JSONQuotes.escaped(error.localizedDescription)
    guard error.domain == NSURLErrorDomain else { return (.failed, text) }
    // On Linux, a connection that is lost at this stage is reported only as an unknown error.
    if afterHeader {
      return (.connectionLost, "the connection ended before the response was complete: \(text)")
    }
    return switch error.code {
    case NSURLErrorTimedOut: (.timedOut, text)
    case NSURLErrorCannotFindHost: (.unreachable, "the host has no address: \(text)")
    case NSURLErrorCannotConnectToHost: (.unreachable, "no server listens there: \(text)")
    case NSURLErrorNetworkConnectionLost, NSURLErrorBadServerResponse:
      (.connectionLost, "the connection ended without a response: \(text)")
    case NSURLErrorUnsupportedURL where text.contains("HTTP/0.9"):
      (.notHTTP, "the response is not HTTP")
    case NSURLErrorBadURL, NSURLErrorUnsupportedURL: (.invalidRequest, text)
    case NSURLErrorCancelled: (.cancelled, "the session was cancelled")
    default: (.failed, text)
    }
  }
}
