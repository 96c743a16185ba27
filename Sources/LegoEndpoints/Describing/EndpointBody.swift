public import Foundation
internal import JSONText

/// The body of a request.
///
/// It is encoded once for each call, when the call begins.
public struct EndpointBody: Sendable {
  let type: String
  let encode: (@Sendable () throws -> Data)?

  private init(_ type: String, _ encode: (@Sendable () throws -> Data)?) {
    self.type = type
    self.encode = encode
  }

  /// No body.
  public static let none = EndpointBody("", nil)

  /// Bytes as they are.
  public static func data(
    _ data: Data, type: String = "application/octet-stream"
  ) -> EndpointBody {
    EndpointBody(type) { data }
  }

  /// A text.
  public static func text(_ text: String) -> EndpointBody {
    EndpointBody("text/plain; charset=utf-8") { Data(text.utf8) }
  }

  /// A value as JSON.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - encoder: Makes the encoder; the default encodes as Foundation does.
  /// - Returns: The body.
  public static func json(
    _ value: some Encodable & Sendable,
    encoder: @escaping @Sendable () -> JSONEncoder = { JSONEncoder() }
  ) -> EndpointBody {
    EndpointBody("application/json") { try encoder().encode(value) }
  }

  /// Names and values as a form sends them.
  public static func form(_ items: QueryItems) -> EndpointBody {
    EndpointBody("application/x-www-form-urlencoded") {
      Data(items.encoded(by: PercentCoding.encodedForm).utf8)
    }
  }

  /// Several parts, such as the fields and files of a form.
  public static func multipart(_ parts: [MultipartPart]) -> EndpointBody {
    // Random, so that no content can hold it.
    let boundary = "boundary-\(UUID().uuidString)"
    return EndpointBody("multipart/form-data; boundary=\(boundary)") {
      MultipartPart.body(of: parts, boundary: boundary)
    }
  }
}

extension EndpointBody: CustomStringConvertible, CustomReflectable {
  /// The type of its content.
  public var description: String { type.isEmpty ? "none" : JSONQuotes.escaped(type) }

  /// Nothing but the type, for `dump`.
  public var customMirror: Mirror { Mirror(self, children: ["type": description]) }
}
