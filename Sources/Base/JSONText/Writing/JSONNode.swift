/// A list, an object or the text of a value in a JSON text that is being written.
///
/// It is a class because the containers of an encoder write into their parent's storage.
package final class JSONNode {
  /// An element of a list, or the value of a member.
  enum Part {
    /// Final text, such as a number or a quoted string.
    case text(String)
    case node(JSONNode)

    /// A Boolean value that indicates whether the part is neither a list nor an object.
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
    /// The members in the order in which they were added.
    case object([(key: String, value: Part)])
  }

  /// The number of members from which their positions are stored by key.
  private static let manyMembers = 16

  private(set) var content: Content
  /// The positions of the members by key, if there are many.
  private var places: [String: Int] = [:]

  /// Creates an empty object, which is also the result for a type that encodes nothing.
  package init() {
    content = .object([])
  }

  /// Changes the node to final text.
  func become(_ text: String) { content = .text(text) }

  /// Changes the node to an empty list, unless it is a list.
  func becomeArray() {
    if case .array = content { return }
    content = .array([])
  }

  /// Changes the node to an empty object, unless it is an object.
  func becomeObject() {
    if case .object = content { return }
    content = .object([])
  }

  /// The number of elements of a list; 0 for any other content.
  var count: Int { if case .array(let parts) = content { parts.count } else { 0 } }

  /// Adds an element.
  func append(_ part: Part) {
    guard case .array(var parts) = content else {
      content = .array([part])
      return
    }
    // With two references to the storage, appending would copy it.
    content = .text("")
    parts.append(part)
    content = .array(parts)
  }

  /// Sets the value of a member, which is added if no member has the key.
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

  /// Sets the value of a member to a string.
  package func set(_ key: String, text: String) { set(key, .text(JSONQuotes.quoted(text))) }

  /// Sets the value of a member to a number.
  package func set(_ key: String, number: Int) { set(key, .text(String(number))) }

  /// Sets the value of a member to a list or an object.
  package func set(_ key: String, node: JSONNode) { set(key, .node(node)) }

  /// The text on one line, without spaces between tokens.
  package var line: String { JSONPrinter(self, .compact, limit: .max).text }

  private func place(of key: String, in members: [(key: String, value: Part)]) -> Int? {
    guard members.count >= Self.manyMembers else { return members.firstIndex { $0.key == key } }
    if places.isEmpty {
      for (index, member) in members.enumerated() { places[member.key] = index }
    }
    return places[key]
  }
}
