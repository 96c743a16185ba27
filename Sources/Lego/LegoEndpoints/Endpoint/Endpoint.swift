public import Foundation
internal import JSONText

/// A type that describes a request to a server and the type of its answer.
///
/// Only ``path`` and ``Answer`` have no default. A `Decodable` answer is decoded from JSON. `Data`,
/// `String` (UTF-8), `Void` and ``EndpointResponse`` are supported as well. For any other type,
/// implement ``answer(from:)``.
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

  /// The URL that the path is appended to, or `nil` to use the base of the client.
  var base: URL? { get }
  /// The path, relative to the base.
  var path: EndpointPath { get }
  /// The HTTP method, which is GET by default.
  var method: HTTPMethod { get }
  /// The query, which is empty by default.
  var query: QueryItems { get }
  /// The header fields that are sent in addition to the client's.
  ///
  /// By default, there are none.
  var headers: HTTPHeaders { get }
  /// The body of the request, which is ``EndpointBody/none`` by default.
  var body: EndpointBody { get }
  /// The status codes that indicate success, which are 200 to 299 by default.
  ///
  /// Any other status code is an error.
  var success: StatusCodes { get }
  /// The limits of a call, or `nil` to use the client's limits.
  var limits: EndpointLimits? { get }
  /// The rules for retrying a call, or `nil` to use the client's rules.
  var retry: EndpointRetry? { get }

  /// Decodes the answer from a response.
  ///
  /// - Throws: An error if the answer cannot be decoded. The call then fails with
  ///   ``EndpointError/Code/notDecodable`` and is not retried.
  func answer(from response: EndpointResponse) throws -> Answer
}

extension Endpoint {
  /// The default, `nil`, which selects the base of the client.
  public var base: URL? { nil }
  /// The default method, which is GET.
  public var method: HTTPMethod { .get }
  /// The default query, which is empty.
  public var query: QueryItems { [:] }
  /// The default, which is an empty collection of header fields.
  public var headers: HTTPHeaders { [:] }
  /// The default body, ``EndpointBody/none``.
  public var body: EndpointBody { .none }
  /// The default status codes, which are 200 to 299.
  public var success: StatusCodes { .successful }
  /// The default, `nil`, which selects the limits of the client.
  public var limits: EndpointLimits? { nil }
  /// The default, `nil`, which selects the retry rules of the client.
  public var retry: EndpointRetry? { nil }
}

extension Endpoint where Answer: Decodable {
  /// Decodes the answer from the JSON body of the response.
  public func answer(from response: EndpointResponse) throws -> Answer {
    try JSONDecoder().decode(Answer.self, from: response.body)
  }
}

extension Endpoint where Answer == Data {
  /// Returns the body of the response.
  public func answer(from response: EndpointResponse) throws -> Data { response.body }
}

extension Endpoint where Answer == String {
  /// Returns the body of the response as text, or throws an error if the body is not UTF-8.
  public func answer(from response: EndpointResponse) throws -> String {
    guard let text = String(validating: response.body, as: UTF8.self) else {
      throw UndecodableText()
    }
    return text
  }
}

extension Endpoint where Answer == Void {
  /// Ignores the body of the response.
  public func answer(from response: EndpointResponse) throws {}
}

extension Endpoint where Answer == EndpointResponse {
  /// Returns the response itself.
  public func answer(from response: EndpointResponse) throws -> EndpointResponse { response }
}

/// The error for a body that is not UTF-8.
struct UndecodableText: Error, CustomStringConvertible {
  var description: String { "the body is not UTF-8" }
}

/// Describes decoding errors without quoting the response.
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
