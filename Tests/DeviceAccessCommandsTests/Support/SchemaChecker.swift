@testable import DeviceAccessCommands

/// Checks values against a JSON Schema, as far as our schema goes (2020-12).
///
/// Stricter than the standard in one point: a member that the schema does not describe is a
/// problem, so that nothing is printed that is not documented.
struct SchemaChecker {
  let root: JSONValue

  init(_ text: String) throws {
    root = try JSONValue.parse(Array(text.utf8))
  }

  /// What is wrong with a value; empty when it fits.
  func problems(_ value: JSONValue, definition: String) -> [String] {
    problems(value, .object(["$ref": .string("#/$defs/\(definition)")]), at: definition)
  }

  private func definition(_ reference: String) -> JSONValue? {
    let prefix = "#/$defs/"
    guard reference.hasPrefix(prefix), case .object(let members) = root,
      case .object(let definitions)? = members["$defs"]
    else { return nil }
    return definitions[String(reference.dropFirst(prefix.count))]
  }

  private func problems(_ value: JSONValue, _ schema: JSONValue, at place: String) -> [String] {
    guard case .object(let rules) = schema else { return ["\(place): the schema is no object"] }
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
    switch value {
    case .object(let members): found += problems(ofMembers: members, rules, at: place)
    case .array(let items): found += problems(ofItems: items, rules, at: place)
    default: break
    }
    return found
  }

  private func problems(
    ofMembers members: [String: JSONValue], _ rules: [String: JSONValue], at place: String
  ) -> [String] {
    guard rules["$ref"] == nil, rules["anyOf"] == nil else { return [] }
    var found: [String] = []
    if case .array(let names)? = rules["required"] {
      for case .string(let name) in names where members[name] == nil {
        found.append("\(place): no \(name)")
      }
    }
    var described: [String: JSONValue] = [:]
    if case .object(let properties)? = rules["properties"] { described = properties }
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
    ofItems items: [JSONValue], _ rules: [String: JSONValue], at place: String
  ) -> [String] {
    var first: [JSONValue] = []
    if case .array(let schemas)? = rules["prefixItems"] { first = schemas }
    return items.enumerated().flatMap { index, item in
      let schema = index < first.count ? first[index] : rules["items"]
      return schema.map { problems(item, $0, at: "\(place)[\(index)]") } ?? []
    }
  }

  private static func isOfType(_ value: JSONValue, _ name: String) -> Bool {
    switch (name, value) {
    case ("null", .null), ("boolean", .bool), ("string", .string), ("array", .array),
      ("object", .object), ("integer", .integer), ("number", .integer), ("number", .double):
      true
    default: false
    }
  }
}
