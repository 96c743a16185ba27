/// Parses untrusted JSON text (RFC 8259), within limits.
///
/// A key that occurs twice in an object is an error, because two readers could interpret it
/// differently. The parser is not recursive, so nesting does not use the stack.
package struct JSONParser {
  /// A list or an object whose end has not been reached.
  private struct Open {
    /// The index of its token.
    var token: Int
    var isObject: Bool
    /// A Boolean value that indicates whether the keys so far are few, ASCII and without escapes.
    ///
    /// If so, their bytes are compared.
    var hasPlainKeys = true
    /// The keys so far, if comparing their bytes is not sufficient.
    var keys: Set<String>?

    var end: UInt8 { isObject ? UInt8(ascii: "}") : UInt8(ascii: "]") }
  }

  /// The number of members from which keys are hashed to find duplicates.
  private static let manyMembers = 32

  private let options: JSONOptions
  private var cursor: JSONCursor
  private var tokens: [JSONTape.Token] = []
  /// The open lists and objects, the outermost first.
  private var open: [Open] = []
  private var values = 0

  private init(_ bytes: [UInt8], _ options: JSONOptions) {
    self.options = options
    cursor = JSONCursor(bytes)
    tokens.reserveCapacity(bytes.count / 6 + 1)
  }

  /// Parses a whole text.
  package static func parse(
    _ bytes: [UInt8], options: JSONOptions = JSONOptions()
  ) throws(JSONSyntaxError) -> JSONTape {
    var parser = JSONParser(bytes, options)
    // Tokens store positions in 32 bits.
    guard bytes.count < Int(Int32.max) else { throw parser.error("the text is too long") }
    guard (try? UTF8Span(validating: bytes.span)) != nil else {
      throw parser.error("the text is not valid UTF-8")
    }
    parser.cursor.skipSpace()
    guard parser.cursor.peek != nil else { throw parser.error("the text is empty") }
    repeat {
      while try parser.opensValue() {}
    } while try parser.continues()
    parser.cursor.skipSpace()
    guard parser.cursor.peek == nil else {
      throw parser.error("unexpected text after the value")
    }
    return JSONTape(bytes: bytes, tokens: parser.tokens, options: options)
  }

  private func error(_ problem: String) -> JSONSyntaxError { cursor.error(problem) }

  /// Reads a value, or only the beginning of a list or object that is not empty.
  ///
  /// - Returns: `true` if a part of the list or object follows.
  private mutating func opensValue() throws(JSONSyntaxError) -> Bool {
    cursor.skipSpace()
    values += 1
    guard open.count <= options.depth else { throw error("nested too deeply") }
    guard values <= options.values else { throw error("too many values") }
    guard let byte = cursor.peek else { throw error("the text ends too early") }
    switch byte {
    case UInt8(ascii: "{"): return try opens(.object)
    case UInt8(ascii: "["): return try opens(.array)
    case UInt8(ascii: "\""): try string()
    case UInt8(ascii: "t"): try word("true", .yes)
    case UInt8(ascii: "f"): try word("false", .no)
    case UInt8(ascii: "n"): try word("null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      let start = cursor.position
      append(try cursor.number(), from: start, to: cursor.position)
    default: throw error("unexpected character")
    }
    return false
  }

  /// Adds a token, initially without nested tokens.
  private mutating func append(_ kind: JSONTape.Token.Kind, from start: Int, to end: Int) {
    tokens.append(
      JSONTape.Token(
        kind: kind, start: Int32(start), end: Int32(end), next: Int32(tokens.count + 1)))
  }

  private mutating func word(
    _ word: StaticString, _ kind: JSONTape.Token.Kind
  ) throws(JSONSyntaxError) {
    let start = cursor.position
    try cursor.word(word)
    append(kind, from: start, to: cursor.position)
  }

  private mutating func string() throws(JSONSyntaxError) {
    let start = cursor.position + 1
    let kind = try cursor.string()
    append(kind, from: start, to: cursor.position - 1)
  }

  /// Begins a list or an object, and returns `true` if it is not empty.
  private mutating func opens(_ kind: JSONTape.Token.Kind) throws(JSONSyntaxError) -> Bool {
    let part = Open(token: tokens.count, isObject: kind == .object)
    append(kind, from: cursor.position, to: cursor.position)
    cursor.position += 1
    cursor.skipSpace()
    if cursor.peek == part.end {
      cursor.position += 1
      tokens[part.token].end = Int32(cursor.position)
      return false
    }
    open.append(part)
    if part.isObject { try key() }
    return true
  }

  /// Closes the lists and objects that end after a value, and returns `true` if another value
  /// follows.
  private mutating func continues() throws(JSONSyntaxError) -> Bool {
    while let place = open.indices.last {
      // Do not copy the whole element, because then inserting a key would copy all keys.
      let (token, end, isObject) = (open[place].token, open[place].end, open[place].isObject)
      tokens[token].count += 1
      cursor.skipSpace()
      guard let byte = cursor.peek else { throw error("the text ends too early") }
      guard byte == end || byte == UInt8(ascii: ",") else { throw error("a comma is missing") }
      cursor.position += 1
      if byte == UInt8(ascii: ",") {
        if isObject { try key() }
        return true
      }
      tokens[token].next = Int32(tokens.count)
      tokens[token].end = Int32(cursor.position)
      open.removeLast()
    }
    return false
  }
}

// MARK: Keys

extension JSONParser {
  /// Reads a key of the innermost object, and the colon after it.
  private mutating func key() throws(JSONSyntaxError) {
    cursor.skipSpace()
    guard let byte = cursor.peek else { throw error("the text ends too early") }
    guard byte == UInt8(ascii: "\"") else { throw error("a key must be a string") }
    let key = tokens.count
    try string()
    guard isNew(key) else { throw error("a key occurs twice") }
    cursor.skipSpace()
    guard let byte = cursor.peek else { throw error("the text ends too early") }
    guard byte == UInt8(ascii: ":") else { throw error("a colon is missing") }
    cursor.position += 1
  }

  /// Returns `true` if the innermost object has no previous key with the same text.
  private mutating func isNew(_ key: Int) -> Bool {
    let place = open.count - 1
    let object = open[place].token
    let count = tokens[object].count
    guard tokens[key].kind == .string, open[place].hasPlainKeys, count < Self.manyMembers else {
      open[place].hasPlainKeys = false
      return isNewAmongHashed(key)
    }
    var other = object + 1
    for _ in 0..<count {
      if isSame(other, key) { return false }
      other = Int(tokens[other + 1].next)
    }
    return true
  }

  private mutating func isNewAmongHashed(_ key: Int) -> Bool {
    // Remove the object while it changes: with a second reference, inserting would copy all keys.
    var object = open.removeLast()
    defer { open.append(object) }
    if object.keys == nil { object.keys = keys(of: object.token) }
    return object.keys?.insert(text(key)).inserted ?? false
  }

  private func keys(of object: Int) -> Set<String> {
    var keys: Set<String> = []
    var key = object + 1
    for _ in 0..<tokens[object].count {
      keys.insert(text(key))
      key = Int(tokens[key + 1].next)
    }
    return keys
  }

  private func isSame(_ one: Int, _ other: Int) -> Bool {
    let (first, second) = (tokens[one], tokens[other])
    return cursor.isSame(Int(first.start)..<Int(first.end), Int(second.start)..<Int(second.end))
  }

  private func text(_ index: Int) -> String {
    JSONEscapes.text(cursor.slice(tokens[index]))
  }
}

/// An error in a text that is not valid JSON.
package struct JSONSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The error as one clause.
  package var problem: String
  /// The position of the error, in bytes from the start of the text.
  package var offset: Int

  package var description: String { "\(problem) at byte \(offset)" }
}

/// The limits for a JSON text, and the extensions that are allowed.
package struct JSONOptions: Hashable, Sendable {
  /// The maximum nesting depth of lists and objects.
  ///
  /// Types are decoded and encoded recursively, so this limits the use of the stack.
  package var depth: Int
  /// The maximum number of values in a text, because even a short text can require much memory.
  package var values: Int
  /// A Boolean value that indicates whether infinities and NaN are read and written as strings.
  ///
  /// JSON has no numbers for them. If this is `false`, writing one is an error.
  package var allowsNonFiniteNumbers: Bool

  package init(
    depth: Int = 64, values: Int = 4_000_000, allowsNonFiniteNumbers: Bool = false
  ) {
    self.depth = depth
    self.values = values
    self.allowsNonFiniteNumbers = allowsNonFiniteNumbers
  }
}
