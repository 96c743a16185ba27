/// One value of a JSON text that is being written.
///
/// A class, because encoding containers write into the same place as their parent.
final class JSONNode {
  enum Content {
    /// Finished text, such as a number or a quoted string.
    case text(String)
    case array([JSONNode])
    /// Members in the order in which they were written.
    case object([(key: String, value: JSONNode)])
  }

  var content = Content.text("null")

  /// Adds a member, making this an object.
  func member(_ key: String) -> JSONNode {
    let node = JSONNode()
    if case .object(var members) = content {
      content = .text("null")
      members.append((key, node))
      content = .object(members)
    } else {
      content = .object([(key, node)])
    }
    return node
  }

  /// Adds an element, making this a list.
  func element() -> JSONNode {
    let node = JSONNode()
    if case .array(var elements) = content {
      content = .text("null")
      elements.append(node)
      content = .array(elements)
    } else {
      content = .array([node])
    }
    return node
  }

  /// Writes the text; `indentation` is `nil` for one line.
  func write(to text: inout String, indentation: Int?) {
    switch content {
    case .text(let value):
      text += value
    case .array(let elements) where indentation != nil && elements.allSatisfy(\.isText):
      text += "[" + elements.map(\.text).joined(separator: ", ") + "]"
    case .array(let elements):
      write(elements.map { (nil, $0) }, "[", "]", to: &text, indentation)
    case .object(let members):
      write(members.map { (Optional($0.key), $0.value) }, "{", "}", to: &text, indentation)
    }
  }

  private var isText: Bool {
    if case .text = content { true } else { false }
  }

  private var text: String {
    if case .text(let text) = content { text } else { "" }
  }

  private func write(
    _ members: [(String?, JSONNode)], _ open: String, _ close: String, to text: inout String,
    _ indentation: Int?
  ) {
    text += open
    for (index, (key, node)) in members.enumerated() {
      if index > 0 { text += "," }
      if let indentation { text += "\n" + String(repeating: "  ", count: indentation + 1) }
      if let key { text += Self.quoted(key) + (indentation == nil ? ":" : ": ") }
      node.write(to: &text, indentation: indentation.map { $0 + 1 })
    }
    if let indentation, !members.isEmpty {
      text += "\n" + String(repeating: "  ", count: indentation)
    }
    text += close
  }

  /// A JSON string literal that is safe to show on a terminal.
  ///
  /// Control characters, line separators and characters that reorder text are written as escapes.
  static func quoted(_ string: String) -> String {
    var text = "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case let scalar where Escaped.isUnprintable(scalar):
        for unit in String(Character(scalar)).utf16 {
          let digits = String(unit, radix: 16)
          text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }
}
