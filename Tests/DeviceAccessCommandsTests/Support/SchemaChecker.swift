import JSONReading

/// Validates values against the parts of JSON Schema (2020-12) that our schema uses.
///
/// It is stricter than the standard in one respect: a member that the schema does not describe is a
/// problem. All output must be documented.
struct SchemaChecker {
  let root: ParsedJSON

  init(_ text: String) throws {
    root = try ParsedJSON(parsing: Array(text.utf8))
  }

  /// Returns the problems of a value; empty if it is valid.
  func problems(_ value: ParsedJSON, definition: String) -> [String] {
    problems(
      value, .object([.init(key: "$ref", value: .string("#/$defs/\(definition)"))]), at: definition)
  }

  private func definition(_ reference: String) -> ParsedJSON? {
    let prefix = "#/$defs/"
    guard reference.hasPrefix(prefix) else { return nil }
    return root.members?["$defs"]?.members?[String(reference.dropFirst(prefix.count))]
  }

  private func problems(_ value: ParsedJSON, _ schema: ParsedJSON, at place: String) -> [String] {
    guard let rules = schema.members else { return ["\(place): the schema is no object"] }
    var found: [String] = []
    for (keyword, rule) in rules {
      switch (keyword, rule) {
      case ("description", _), ("properties", _), ("required", _), ("additionalProperties", _),
        ("items", _), ("prefixItems", _):
        break
      case ("$ref", .string(let reference)):
        guard let target = definition(reference) else { return ["\(place): no \(reference)"] }
        found += problems(value, target, at: place)
      case ("anyOf", .array(let options)):
        let failures = options.map { problems(value, $0, at: place) }
        if !failures.contains([]) { found += ["\(place): fits none of: \(failures)"] }
      case ("const", let expected):
        if value != expected { found.append("\(place): \(value) is not \(expected)") }
      case ("enum", .array(let values)):
        if !values.contains(value) { found.append("\(place): \(value) is not listed") }
      case ("type", .string(let name)):
        if !Self.isOfType(value, name) { found.append("\(place): not of type \(name)") }
      case ("type", .array(let names)):
        let types = names.compactMap { if case .string(let name) = $0 { name } else { nil } }
        if !types.contains(where: { Self.isOfType(value, $0) }) {
          found.append("\(place): of another type")
        }
      case ("minimum", .integer(let minimum)):
        if case .integer(let number) = value, number < minimum {
          found.append("\(place): too small")
        }
      case ("maximum", .integer(let maximum)):
        if case .integer(let number) = value, number > maximum {
          found.append("\(place): too large")
        }
      case ("minItems", .integer(let count)):
        if case .array(let items) = value, items.count < count {
          found.append("\(place): too short")
        }
      case ("maxItems", .integer(let count)):
        if case .array(let items) = value, items.count > count {
          found.append("\(place): too long")
        }
      case ("pattern", .string(let pattern)):
        if case .string(let text) = value, (try? Regex(pattern).firstMatch(in: text)) == nil {
          found.append("\(place): \(text) does not fit \(pattern)")
        }
      default:
        found.append("\(place): the checker does not know \(keyword)")
      }
    }
    if let members = value.members { found += problems(ofMembers: members, rules, at: place) }
    if case .array(let items) = value { found += problems(ofItems: items, rules, at: place) }
    return found
  }

  private func problems(
    ofMembers members: [String: ParsedJSON], _ rules: [String: ParsedJSON], at place: String
  ) -> [String] {
    guard rules["$ref"] == nil, rules["anyOf"] == nil else { return [] }
    var found: [String] = []
    if case .array(let names)? = rules["required"] {
      for case .string(let name) in names where members[name] == nil {
        found.append("\(place): no \(name)")
      }
    }
    let described = rules["properties"]?.members ?? [:]
    for (name, member) in members {
      if let schema = described[name] ?? rules["additionalProperties"] {
        found += problems(member, schema, at: "\(place).\(name)")
      } else {
        found.append("\(place).\(name): not described")
      }
    }
    return found
  }

  private func problems(
    ofItems items: [ParsedJSON], _ rules: [String: ParsedJSON], at place: String
  ) -> [String] {
    var first: [ParsedJSON] = []
    if case .array(let schemas)? = rules["prefixItems"] { first = schemas }
    return items.enumerated().flatMap { index, item in
      let schema = index < first.count ? first[index] : rules["items"]
      return schema.map { problems(item, $0, at: "\(place)[\(index)]") } ?? []
    }
  }

  private static func isOfType(_ value: ParsedJSON, _ name: String) -> Bool {
    switch (name, value) {
    case ("null", .null), ("boolean", .bool), ("string", .string), ("array", .array),
      ("object", .object), ("integer", .integer), ("number", .integer), ("number", .double):
      true
    default: false
    }
  }
}
