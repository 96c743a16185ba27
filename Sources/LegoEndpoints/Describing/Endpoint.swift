public import Foundation

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
