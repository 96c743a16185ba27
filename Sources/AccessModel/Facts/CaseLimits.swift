/// Bounds of a case that comes from outside.
enum CaseLimits {
  static let mounts = 100_000
  static let nodes = 100_000
  /// `NGROUPS_MAX`.
  static let groups = 65_536
  /// The entries that fit in the largest extended attribute (64 KiB, 8 bytes each).
  static let entries = 8_192
  /// `UID_GID_MAP_MAX_EXTENTS` is 340; composing maps can make more.
  static let ranges = 4_096
  static let exceptions = 16_384
  /// `PATH_MAX`: the bytes of a path, and of a link's target.
  static let path = 4_096
  /// A path that a request may name: beyond `PATH_MAX`, so that its refusal can be decided.
  static let requestPath = 65_536

  /// What is wrong with a canonical absolute path, as one clause.
  static func problem(ofCanonical path: String) -> String? {
    if path == "/" { return nil }
    if let problem = problem(ofText: path, limit: Self.path) { return problem }
    var isStart = true
    var nameCount = 0
    var dots = 0
    for byte in path.utf8 {
      if byte == UInt8(ascii: "/") {
        if !isStart && (nameCount == 0 || (nameCount <= 2 && dots == nameCount)) {
          return "a path is not canonical"
        }
        isStart = false
        nameCount = 0
        dots = 0
      } else {
        if isStart { return "a path is not absolute" }
        nameCount += 1
        if byte == UInt8(ascii: ".") { dots += 1 }
      }
    }
    if nameCount == 0 || (nameCount <= 2 && dots == nameCount) { return "a path is not canonical" }
    return nil
  }

  /// What is wrong with text that the kernel takes as a C string.
  static func problem(ofText text: String, limit: Int) -> String? {
    if text.isEmpty { return "a path is empty" }
    if ByteText(text).byteCount > limit { return "a path has more than \(limit) bytes" }
    if text.utf8.contains(0) { return "a path holds a zero byte" }
    return nil
  }
}

extension KeyedDecodingContainer {
  /// The error of a value that has the right type and is wrong all the same.
  func invalid(_ key: Key, _ description: String) -> DecodingError {
    .dataCorruptedError(forKey: key, in: self, debugDescription: description)
  }

  /// Decodes a list of bounded length.
  func bounded<Element: Decodable>(_ key: Key, limit: Int) throws -> [Element] {
    var list = try nestedUnkeyedContainer(forKey: key)
    return try list.bounded(limit: limit)
  }

  /// Decodes a bounded list of identifiers.
  func bounded(_ key: Key, limit: Int) throws -> [UInt32] {
    var list = try nestedUnkeyedContainer(forKey: key)
    return try list.identifiers(limit: limit)
  }

  /// Decodes a list of bounded length that may be absent.
  func boundedIfPresent<Element: Decodable>(_ key: Key, limit: Int) throws -> [Element]? {
    guard contains(key), try !decodeNil(forKey: key) else { return nil }
    return try bounded(key, limit: limit)
  }
}

extension UnkeyedDecodingContainer {
  mutating func bounded<Element: Decodable>(limit: Int) throws -> [Element] {
    var elements: [Element] = []
    if let count {
      guard count <= limit else { throw tooMany(limit) }
      elements.reserveCapacity(count)
    }
    while !isAtEnd {
      guard elements.count < limit else { throw tooMany(limit) }
      elements.append(try decode(Element.self))
    }
    return elements
  }

  /// As ``bounded(limit:)``, without the way through `Decodable`: a case has far more identifiers
  /// than anything else.
  fileprivate mutating func identifiers(limit: Int) throws -> [UInt32] {
    var identifiers: [UInt32] = []
    identifiers.reserveCapacity(min(count ?? 0, limit))
    while !isAtEnd {
      guard identifiers.count < limit else { throw tooMany(limit) }
      identifiers.append(try decode(UInt32.self))
    }
    return identifiers
  }

  private func tooMany(_ limit: Int) -> DecodingError {
    .dataCorruptedError(in: self, debugDescription: "more than \(limit) elements")
  }
}
