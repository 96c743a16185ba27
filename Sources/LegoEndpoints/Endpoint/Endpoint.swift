public import Foundation
internal import JSONText

/// What a server is asked, and what it answers.
///
/// A value with everything that a request needs; only ``path`` and the type of the answer have no
/// default. An answer that is `Decodable` is read as JSON. `Data`, `String` (UTF-8), `Void` and
/// ``EndpointResponse`` are there, too; for anything else, write ``answer(from:)``.
///
/// ```swift
/// struct GetPhoto: Endpoint {
///   typealias Answer = Photo
///   var id: Int
///   var path: EndpointPath { "/photos/\(id)" }
/// }
/// ```
public protocol Endpoint: Sendable {
  /// What it answers.
  associatedtype Answer: Sendable

  /// The address that the path is below; `nil` for that of the client.
  var base: URL? { get }
  /// The path below the base.
  var path: EndpointPath { get }
  /// What is to be done; by default, GET.
  var method: HTTPMethod { get }
  /// The query; by default, none.
  var query: QueryItems { get }
  /// Header fields beside those of the client; by default, none.
  var headers: HTTPHeaders { get }
  /// The body; by default, none.
  var body: EndpointBody { get }
  /// The statuses that are answers; by default, those from 200 to 299. Others are errors.
  var success: StatusCodes { get }
  /// How much a call may take; `nil` for what the client says.
  var limits: EndpointLimits? { get }
  /// When a call is tried again; `nil` for what the client says.
  var retry: EndpointRetry? { get }

  /// Reads the answer from a response.
  ///
  /// - Throws: What makes the call fail with `.notDecodable`, and is not called again.
  func answer(from response: EndpointResponse) throws -> Answer
}

extension Endpoint {
  /// That of the client.
  public var base: URL? { nil }
  /// GET.
  public var method: HTTPMethod { .get }
  /// None.
  public var query: QueryItems { [:] }
  /// None.
  public var headers: HTTPHeaders { [:] }
  /// None.
  public var body: EndpointBody { .none }
  /// From 200 to 299.
  public var success: StatusCodes { .successful }
  /// What the client says.
  public var limits: EndpointLimits? { nil }
  /// What the client says.
  public var retry: EndpointRetry? { nil }
}

extension Endpoint where Answer: Decodable {
  /// Reads JSON.
  public func answer(from response: EndpointResponse) throws -> Answer {
    try JSONDecoder().decode(Answer.self, from: response.body)
  }
}

extension Endpoint where Answer == Data {
  /// The body as it is.
  public func answer(from response: EndpointResponse) throws -> Data { response.body }
}

extension Endpoint where Answer == String {
  /// The body as text, which must be UTF-8.
  public func answer(from response: EndpointResponse) throws -> String {
    guard let text = String(validating: response.body, as: UTF8.self) else {
      throw UndecodableText()
    }
    return text
  }
}

extension Endpoint where Answer == Void {
  /// Nothing, whatever the body is.
  public func answer(from response: EndpointResponse) throws {}
}

extension Endpoint where Answer == EndpointResponse {
  /// The response itself.
  public func answer(from response: EndpointResponse) throws -> EndpointResponse { response }
}

/// A body that is not UTF-8.
struct UndecodableText: Error, CustomStringConvertible {
  var description: String { "the body is not UTF-8" }
}

/// Why a response could not be read, as a clause without what the response holds.
enum DecodingProblem {
  static func reason(_ error: any Error, of type: Any.Type) -> String {
    let problem =
      switch error as? DecodingError {
      case .typeMismatch(_, let context)?: "another type\(place(context))"
      case .valueNotFound(_, let context)?: "no value\(place(context))"
      case .keyNotFound(let key, let context)?:
        "no \(JSONQuotes.escaped(key.stringValue))\(place(context))"
      case .dataCorrupted(let context)?: "invalid data\(place(context))"
      default: (error as? UndecodableText)?.description ?? "\(Swift.type(of: error))"
      }
    return "cannot read \(JSONQuotes.escaped("\(type)")): \(JSONQuotes.escaped(problem))"
  }

  private static func place(_ context: DecodingError.Context) -> String {
    guard !context.codingPath.isEmpty else { return "" }
    let path = context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }
    return " at \(path.joined(separator: "."))"
  }
}
