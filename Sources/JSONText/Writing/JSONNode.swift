/// One list, object or finished text of a JSON text that is being written.
///
/// A class, because encoding containers write into the same place as their parent.
package final class JSONNode {
  /// A part of a list or an object.
  enum Part {
    /// Finished text, such as a number or a quoted string.
    case text(String)
    case node(JSONNode)

    /// Whether it is neither a list nor an object.
    var isText: Bool {
      switch self {
      case .text: return true
      case .node(let node): if case .text = node.content { return true } else { return false }
      }
    }
  }

  enum Content {
    case text(String)
    case array([Part])
    /// Members in the order in which they were written.
    case object([(key: String, value: Part)])
  }

  /// From how many members on their places are kept by their keys.
  private static let manyMembers = 16

  private(set) var content: Content
  /// Where each member stands, once there are many.
  private var places: [String: Int] = [:]

  /// A value that wrote nothing is an object without members.
  package init() {
    content = .object([])
  }

  /// Becomes finished text.
  func become(_ text: String) { content = .text(text) }

  /// Becomes a list, if it is none.
  func becomeArray() {
    if case .array = content { return }
    content = .array([])
  }

  /// Becomes an object, if it is none.
  func becomeObject() {
    if case .object = content { return }
    content = .object([])
  }

  /// How many elements a list has.
  var count: Int { if case .array(let parts) = content { parts.count } else { 0 } }

  /// Adds an element.
  func append(_ part: Part) {
    guard case .array(var parts) = content else {
      content = .array([part])
      return
    }
    // Two owners of the storage would copy it.
    content = .text("")
    parts.append(part)
    content = .array(parts)
  }

  /// Adds a member; one of the same key is replaced, since a key must not occur twice.
  func set(_ key: String, _ part: Part) {
    guard case .object(var members) = content else {
      content = .object([(key, part)])
      return
    }
    content = .text("")
    if let place = place(of: key, in: members) {
      members[place].value = part
    } else {
      if members.count >= Self.manyMembers { places[key] = members.count }
      members.append((key, part))
    }
    content = .object(members)
  }

  /// Adds a member that is text.
  package func set(_ key: String, text: String) { set(key, .text(JSONQuotes.quoted(text))) }

  /// Adds a member that is a number.
  package func set(_ key: String, number: Int) { set(key, .text(String(number))) }

  /// Adds a member that has members of its own.
  package func set(_ key: String, node: JSONNode) { set(key, .node(node)) }

  /// The text on one line.
  package var line: String { JSONPrinter(self, .compact, limit: .max).text }

  private func place(of key: String, in members: [(key: String, value: Part)]) -> Int? {
    guard members.count >= Self.manyMembers else { return members.firstIndex { $0.key == key } }
    if places.isEmpty {
      for (index, member) in members.enumerated() { places[member.key] = index }
    }
    return places[key]
  }
}
