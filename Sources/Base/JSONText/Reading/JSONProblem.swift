/// A description of an error that prevented decoding a text.
package struct JSONProblem: Hashable, Sendable, CustomStringConvertible {
  /// The maximum number of keys shown for a path.
  private static let shownKeys = 16

  /// The description as one clause, which may quote untrusted text.
  package let description: String

  /// Creates the description of any error of ``JSONReader/decode(_:from:options:)``.
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
