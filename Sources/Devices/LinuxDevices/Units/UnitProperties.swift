internal import AccessModel
internal import MessageBus

/// The properties of one interface of a unit, as the manager reports them in one reply.
///
/// org.freedesktop.systemd1(5) lists their names.
struct UnitProperties: Hashable, Sendable {
  private let values: [String: BusValue]
  /// The requested properties that are missing or have an unexpected type.
  private(set) var missing: [String] = []

  init(_ values: [String: BusValue]) {
    self.values = values
  }

  /// Parses the reply to `GetAll`, `(a{sv})`.
  ///
  /// - Throws: `E2BIG` if the reply has another structure, as a truncated one does.
  init(answer: BusValue) throws(Errno) {
    var values: [String: BusValue] = [:]
    for property in answer.elements ?? [] {
      guard let pair = property.elements, pair.count == 2, let name = pair[0].text else {
        throw .tooBig
      }
      values[name] = pair[1]
    }
    self.init(values)
  }

  /// Returns whether this version of systemd reports a property.
  func has(_ name: String) -> Bool { values[name] != nil }

  /// The value of a property of any type; a missing one is not added to ``missing``.
  subscript(name: String) -> BusValue? { values[name] }

  mutating func text(_ name: String) -> String? {
    noted(name, values[name]?.text)
  }

  /// Returns a string property, or `nil` if it is empty or missing.
  mutating func name(_ name: String) -> String? {
    text(name).flatMap { $0.isEmpty ? nil : $0 }
  }

  mutating func texts(_ name: String) -> [String] {
    noted(name, values[name]?.texts) ?? []
  }

  mutating func boolean(_ name: String) -> Bool {
    guard case .boolean(let value) = values[name] else {
      missing.append(name)
      return false
    }
    return value
  }

  mutating func unsigned(_ name: String) -> UInt64? {
    guard case .unsigned(let value) = values[name] else {
      missing.append(name)
      return nil
    }
    return value
  }

  mutating func signed(_ name: String) -> Int64? {
    guard case .signed(let value) = values[name] else {
      missing.append(name)
      return nil
    }
    return value
  }

  /// Returns the structures in an array; each must have at least `count` members.
  mutating func structures(_ name: String, members count: Int) -> [[BusValue]] {
    let structures = values[name]?.elements?.map { $0.elements ?? [] }
    guard let structures, structures.allSatisfy({ $0.count >= count }) else {
      missing.append(name)
      return []
    }
    return structures
  }

  /// Returns the string in a structure `(bs)`, whose Boolean indicates that a failure is ignored.
  mutating func optionalText(_ name: String) -> String? {
    guard let members = values[name]?.elements, members.count == 2, let text = members[1].text
    else {
      missing.append(name)
      return nil
    }
    return text.isEmpty ? nil : text
  }

  /// Returns a structure `(bas)`, whose Boolean indicates an allow list.
  ///
  /// Returns `nil` if this version of systemd does not report the property.
  mutating func filter(_ name: String) -> (isAllowList: Bool, names: [String])? {
    guard let value = values[name] else { return nil }
    guard let members = value.elements, members.count == 2, let isAllowList = members[0].boolean,
      let names = members[1].texts
    else {
      missing.append(name)
      return nil
    }
    return (isAllowList, names)
  }

  private mutating func noted<Value>(_ name: String, _ value: Value?) -> Value? {
    if value == nil { missing.append(name) }
    return value
  }
}
