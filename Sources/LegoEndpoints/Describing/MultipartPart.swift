public import Foundation

/// A part of a body that has several, such as a file of a form (RFC 7578).
public struct MultipartPart: Sendable {
  let name: String
  let file: String?
  let type: String?
  let data: Data

  /// A field of a form.
  public init(_ name: String, _ value: String) {
    self.name = name
    file = nil
    type = nil
    data = Data(value.utf8)
  }

  /// A file of a form.
  ///
  /// - Parameters:
  ///   - name: The name of the field.
  ///   - data: The content.
  ///   - file: The name of the file.
  ///   - type: The type of the content, such as `image/jpeg`.
  public init(
    _ name: String, data: Data, file: String, type: String = "application/octet-stream"
  ) {
    self.name = name
    self.file = file
    self.type = type
    self.data = data
  }

  /// The parts as one body.
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

  /// A name as browsers write it, which cannot end its quotes or its line.
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
