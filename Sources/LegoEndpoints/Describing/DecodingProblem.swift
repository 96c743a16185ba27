internal import JSONText

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
