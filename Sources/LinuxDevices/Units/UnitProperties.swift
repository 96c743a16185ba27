internal import AccessModel
internal import MessageBus

/// The properties of one interface of a unit, as the manager tells them at one time.
///
/// The names are those of org.freedesktop.systemd1(5).
struct UnitProperties: Hashable, Sendable {
  private let values: [String: BusValue]
  /// The properties that were asked for and are missing or of another type.
  private(set) var missing: [String] = []

  init(_ values: [String: BusValue]) {
    self.values = values
  }

  /// Reads the answer to `GetAll`, `(a{sv})`.
  ///
  /// - Throws: `E2BIG` for an answer of another form, as one that is too long has when it is read.
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

  /// Whether this version of systemd tells a property.
  func has(_ name: String) -> Bool { values[name] != nil }

  /// A property of any type; `nil` for one that is not told, which is no matter.
  subscript(name: String) -> BusValue? { values[name] }

  mutating func text(_ name: String) -> String? {
    noted(name, values[name]?.text)
  }

  /// A text that is not empty.
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

  /// The structures of an array, of which each has at least `count` members.
  mutating func structures(_ name: String, members count: Int) -> [[BusValue]] {
    let structures = values[name]?.elements?.map { $0.elements ?? [] }
    guard let structures, structures.allSatisfy({ $0.count >= count }) else {
      missing.append(name)
      return []
    }
    return structures
  }

  /// The text of a structure `(bs)`, whose boolean says whether a failure is passed over.
  mutating func optionalText(_ name: String) -> String? {
    guard let members = values[name]?.elements, members.count == 2, let text = members[1].text
    else {
      missing.append(name)
      return nil
    }
    return text.isEmpty ? nil : text
  }

  /// A structure `(bas)`, whose boolean says whether the list is of what is allowed; `nil` for one
  /// that older systems do not tell.
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
