import Foundation
import LegoEndpoints
import LegoKit
import Synchronization

/// What the server says of a request.
struct Echo: Decodable, Equatable, Sendable {
  var method: String
  var path: String
  var headers: [String: String]
  var body: String
  var port: Int
}

/// Asks for the request itself.
struct GetEcho: Endpoint {
  typealias Answer = Echo
  var base: URL?
  var path: EndpointPath = "/echo"
  var method = HTTPMethod.get
  var query: QueryItems = [:]
  var headers: HTTPHeaders = [:]
  var body = EndpointBody.none
}

/// Asks for a path, and takes whatever comes as text.
struct GetText: Endpoint {
  typealias Answer = String
  var path: EndpointPath
  var method = HTTPMethod.get
  var query: QueryItems = [:]
  var headers: HTTPHeaders = [:]
  var body = EndpointBody.none
  var success = StatusCodes.successful
  var limits: EndpointLimits?
  var retry: EndpointRetry?

  init(_ path: EndpointPath) { self.path = path }
}

extension EndpointRetry {
  /// At once, three times.
  static let atOnce = EndpointRetry(first: .zero, jitter: 1...1)
}

extension Endpoints {
  /// A client of the tests' server, which does not try again.
  static func local(
    headers: HTTPHeaders = [:], authentication: EndpointAuthentication = .none,
    limits: EndpointLimits = .standard, retry: EndpointRetry = .never, log: LogSink? = nil
  ) throws -> Endpoints {
    Endpoints(
      base: try LocalServer.shared.get().base, headers: headers, authentication: authentication,
      limits: limits, retry: retry, log: log)
  }

  /// The error of a call, or `nil` when there was an answer.
  func error(
    of endpoint: some Endpoint, progress: (@Sendable (EndpointProgress) -> Void)? = nil
  ) async -> EndpointError? {
    do throws(EndpointError) {
      _ = try await answer(to: endpoint, progress: progress)
      return nil
    } catch {
      return error
    }
  }
}

/// Collects values from any thread.
final class Collected<Value: Sendable>: Sendable {
  private let storage = Mutex<[Value]>([])
  var values: [Value] { storage.withLock { $0 } }
  func append(_ value: Value) { storage.withLock { $0.append(value) } }
}
