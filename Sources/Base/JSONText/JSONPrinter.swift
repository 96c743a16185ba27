/// Formats a tree of nodes as text.
struct JSONPrinter {
  private(set) var text = ""
  /// A Boolean value that indicates whether parts were omitted because they are nested too deeply.
  private(set) var isTooDeep = false
  private let layout: JSONWriter.Layout
  private let limit: Int

  /// Formats a tree, and omits parts that are nested more than `limit` levels deep.
  init(_ node: JSONNode, _ layout: JSONWriter.Layout, limit: Int) {
    self.layout = layout
    self.limit = limit
    write(node, depth: 0)
  }

  private mutating func write(_ node: JSONNode, depth: Int) {
    switch node.content {
    case .text(let value): text += value
    case .array(let parts):
      text += "["
      // A list without nested lists and objects is easiest to read on one line.
      let isOneLine = layout == .compact || parts.allSatisfy { $0.isText }
      for (index, part) in parts.enumerated() {
        if index > 0 { text += "," }
        if !isOneLine {
          breakLine(depth + 1)
        } else if index > 0 && layout == .indented {
          text += " "
        }
        write(part, depth: depth + 1)
      }
      if !isOneLine { breakLine(depth) }
      text += "]"
    case .object(let members):
      text += "{"
      for (index, member) in members.enumerated() {
        if index > 0 { text += "," }
        if layout == .indented { breakLine(depth + 1) }
        JSONQuotes.write(member.key, to: &text)
        text += layout == .indented ? ": " : ":"
        write(member.value, depth: depth + 1)
      }
      if layout == .indented && !members.isEmpty { breakLine(depth) }
      text += "}"
    }
  }

  private mutating func write(_ part: JSONNode.Part, depth: Int) {
    guard depth <= limit else {
      isTooDeep = true
      return
    }
    switch part {
    case .text(let value): text += value
    case .node(let node): write(node, depth: depth)
    }
  }

  private mutating func breakLine(_ depth: Int) {
    text += "\n"
    for _ in 0..<depth { text += "  " }
  }
}
