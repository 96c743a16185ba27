/// What is wrong with a text that could not be decoded.
package struct JSONProblem: Hashable, Sendable, CustomStringConvertible {
  /// How many keys of a path are shown.
  private static let shownKeys = 16

  /// One clause, which may quote untrusted bytes of the text.
  package let description: String

  /// Takes whatever ``JSONReader/decode(_:from:options:)`` throws.
  package init(_ error: any Error) {
    guard let error = error as? DecodingError else {
      description = "\(error)"
      return
    }
    switch error {
    case .typeMismatch(_, let context), .valueNotFound(_, let context),
      .dataCorrupted(let context):
      description = Self.clause(context.debugDescription, at: context.codingPath)
    case .keyNotFound(let key, let context):
      description = Self.clause(context.debugDescription, at: context.codingPath + [key])
    @unknown default: description = "unknown form"
    }
  }

  private static func clause(_ problem: String, at path: [any CodingKey]) -> String {
    let place = path.prefix(shownKeys).reduce(into: "") { place, key in
      if let index = key.intValue {
        place += "[\(index)]"
      } else {
        place += (place.isEmpty ? "" : ".") + key.stringValue
      }
    }
    return place.isEmpty ? problem : "\(place): \(problem)"
  }
}
