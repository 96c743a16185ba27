public import Foundation

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
