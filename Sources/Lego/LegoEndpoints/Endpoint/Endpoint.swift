public import Foundation
internal import JSONText

/// A request to a server, and the type of its answer.
///
/// Only ``path`` and the type of the answer have no default. An answer that is `Decodable` is
/// decoded from JSON. `Data`, `String` (UTF-8), `Void` and ``EndpointResponse`` are supported as
/// well. For any other type, implement ``answer(from:)``.
///
/// ```swift
/// struct GetPhoto: Endpoint {
///   typealias Answer = Photo
///   var id: Int
///   var path: EndpointPath { "/photos/\(id)" }
/// }
/// ```
public protocol Endpoint: Sendable {
  /// The type of the answer.
  associatedtype Answer: Sendable

  /// The address that the path is appended to; `nil` for the base of the client.
  var base: URL? { get }
  /// The path below the base.
  var path: EndpointPath { get }
  /// The method; by default, GET.
  var method: HTTPMethod { get }
  /// The query; by default, none.
  var query: QueryItems { get }
  /// The header fields in addition to those of the client; by default, none.
  var headers: HTTPHeaders { get }
  /// The body; by default, none.
  var body: EndpointBody { get }
  /// The status codes of an answer; by default, those from 200 to 299.
  ///
  /// Other codes are errors.
  var success: StatusCodes { get }
  /// The limits of a call; `nil` for those of the client.
  var limits: EndpointLimits? { get }
  /// The rules for repeating a call; `nil` for those of the client.
  var retry: EndpointRetry? { get }

  /// Decodes the answer from a response.
  ///
  /// - Throws: Any error. The call then fails with `.notDecodable`, and is not repeated.
  func answer(from response: EndpointResponse) throws -> Answer
}

extension Endpoint {
  /// The base of the client.
  public var base: URL? { nil }
  /// GET.
  public var method: HTTPMethod { .get }
  /// No query.
  public var query: QueryItems { [:] }
  /// No header fields.
  public var headers: HTTPHeaders { [:] }
  /// No body.
  public var body: EndpointBody { .none }
  /// The codes from 200 to 299.
  public var success: StatusCodes { .successful }
  /// The limits of the client.
  public var limits: EndpointLimits? { nil }
  /// The rules of the client.
  public var retry: EndpointRetry? { nil }
}

extension Endpoint where Answer: Decodable {
  /// Decodes JSON.
  public func answer(from response: EndpointResponse) throws -> Answer {
    try JSONDecoder().decode(Answer.self, from: response.body)
  }
}

extension Endpoint where Answer == Data {
  /// The body.
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
  /// Nothing, for any body.
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

/// Describes decoding errors, without the content of the response.
enum DecodingProblem {
  static func reason(_ error: any Error, of type: Any.Type) -> String {
    let problem =
      switch error as? DecodingError {
      case .typeMismatch(_, let context)?: "wrong type\(place(context))"
      case .valueNotFound(_, let context)?: "no value\(place(context))"
      case .keyNotFound(let key, let context)?:
        "no \(JSONQuotes.escaped(key.stringValue))\(place(context))"
      case .dataCorrupted(let context)?: "invalid data\(place(context))"
      default: (error as? UndecodableText)?.description ?? "\(Swift.type(of: error))"
      }
    return "cannot decode \(JSONQuotes.escaped("\(type)")): \(JSONQuotes.escaped(problem))"
  }

  private static func place(_ context: DecodingError.Context) -> String {
    guard !context.codingPath.isEmpty else { return "" }
    let path = context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }
    return " at \(path.joined(separator: "."))"
  }
}
