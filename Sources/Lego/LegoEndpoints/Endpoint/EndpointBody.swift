public import Foundation
internal import JSONText

/// The body of a request.
///
/// The body is encoded once per call, before the first attempt.
public struct EndpointBody: Sendable {
  let type: String
  let encode: (@Sendable () throws -> Data)?

  private init(_ type: String, _ encode: (@Sendable () throws -> Data)?) {
    self.type = type
    self.encode = encode
  }

  /// No body.
  public static let none = EndpointBody("", nil)

  /// Returns a body that consists of the given bytes.
  public static func data(
    _ data: Data, type: String = "application/octet-stream"
  ) -> EndpointBody {
    EndpointBody(type) { data }
  }

  /// Returns a body that consists of text in UTF-8.
  public static func text(_ text: String) -> EndpointBody {
    EndpointBody("text/plain; charset=utf-8") { Data(text.utf8) }
  }

  /// Returns a body that contains a value encoded as JSON.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - encoder: Creates the encoder, which by default is a `JSONEncoder` with default settings.
  /// - Returns: The body.
  public static func json(
    _ value: some Encodable & Sendable,
    encoder: @escaping @Sendable () -> JSONEncoder = { JSONEncoder() }
  ) -> EndpointBody {
    EndpointBody("application/json") { try encoder().encode(value) }
  }

  /// Returns a body with the names and values of an HTML form.
  public static func form(_ items: QueryItems) -> EndpointBody {
    EndpointBody("application/x-www-form-urlencoded") {
      Data(items.encoded(by: PercentCoding.encodedForm).utf8)
    }
  }

  /// Returns a body with several parts, such as the fields and files of a form.
  public static func multipart(_ parts: [MultipartPart]) -> EndpointBody {
    // The boundary is random, so that it does not occur in the content.
    let boundary = "boundary-\(UUID().uuidString)"
    return EndpointBody("multipart/form-data; boundary=\(boundary)") {
      MultipartPart.body(of: parts, boundary: boundary)
    }
  }
}

extension EndpointBody: CustomStringConvertible, CustomReflectable {
  /// The content type, or `none` if there is no body.
  public var description: String { type.isEmpty ? "none" : JSONQuotes.escaped(type) }

  /// A mirror that shows only the content type, for `dump`.
  public var customMirror: Mirror { Mirror(self, children: ["type": description]) }
}

/// A part of a multipart body, such as a field or a file of a form (RFC 7578).
public struct MultipartPart: Sendable {
  let name: String
  let file: String?
  let type: String?
  let data: Data

  /// Creates a part for a field of a form.
  public init(_ name: String, _ value: String) {
    self.name = name
    file = nil
    type = nil
    data = Data(value.utf8)
  }

  /// Creates a part for a file of a form.
  ///
  /// - Parameters:
  ///   - name: The name of the field.
  ///   - data: The content of the file.
  ///   - file: The name of the file.
  ///   - type: The content type of the file, such as `image/jpeg`.
  public init(
    _ name: String, data: Data, file: String, type: String = "application/octet-stream"
  ) {
    self.name = name
    self.file = file
    self.type = type
    self.data = data
  }

  /// Joins parts into one body.
  static func body(of parts: [MultipartPart], boundary: String) -> Data {
    var body = Data()
    for part in parts {
      var head = "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(quoted(part.name))\""
      if let file = part.file { head += "; filename=\"\(quoted(file))\"" }
      if let type = part.type { head += "\r\nContent-Type: \(type.filter { !$0.isNewline })" }
      body += Data("\(head)\r\n\r\n".utf8) + part.data + Data("\r\n".utf8)
    }
    return body + Data("--\(boundary)--\r\n".utf8)
  }

  /// Escapes a name as browsers do, so that it can end neither the quoted string nor the line.
  private static func quoted(_ name: String) -> String {
    name.unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar {
      case "\"": text += "%22"
      case "\r": text += "%0D"
      case "\n": text += "%0A"
      default: text.unicodeScalars.append(scalar)
      }
    }
  }
}
