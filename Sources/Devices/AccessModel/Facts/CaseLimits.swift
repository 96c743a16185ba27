/// Limits on a case that is decoded from external input.
enum CaseLimits {
  static let mounts = 100_000
  static let nodes = 100_000
  /// `NGROUPS_MAX`.
  static let groups = 65_536
  /// The maximum number of list entries, which fill the largest extended attribute (64 KiB).
  static let entries = 8_192
  /// The maximum number of ranges in a map.
  ///
  /// It is greater than `UID_GID_MAP_MAX_EXTENTS` (340), because composed maps can have more
  /// ranges.
  static let ranges = 4_096
  static let exceptions = 16_384
  /// `PATH_MAX`: the maximum number of bytes in a path or a link's target.
  static let path = 4_096
  /// The maximum number of bytes in a request's path, which may exceed `PATH_MAX` and is then
  /// refused.
  static let requestPath = 65_536

  /// Returns the reason why a path is not absolute and canonical, as one clause; `nil` if it is.
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

  /// Returns the reason why text cannot be a C string of limited length; `nil` if it can.
  static func problem(ofText text: String, limit: Int) -> String? {
    if text.isEmpty { return "a path is empty" }
    if ByteText(text).byteCount > limit { return "a path has more than \(limit) bytes" }
    if text.utf8.contains(0) { return "a path holds a zero byte" }
    return nil
  }
}

extension KeyedDecodingContainer {
  /// Returns an error for a value that has the right type but is invalid.
  func invalid(_ key: Key, _ description: String) -> DecodingError {
    .dataCorruptedError(forKey: key, in: self, debugDescription: description)
  }

  /// Decodes an array with at most `limit` elements.
  func bounded<Element: Decodable>(_ key: Key, limit: Int) throws -> [Element] {
    var list = try nestedUnkeyedContainer(forKey: key)
    return try list.bounded(limit: limit)
  }

  /// Decodes an array with at most `limit` IDs.
  func bounded(_ key: Key, limit: Int) throws -> [UInt32] {
    var list = try nestedUnkeyedContainer(forKey: key)
    return try list.identifiers(limit: limit)
  }

  /// Decodes an array with at most `limit` elements; returns `nil` if it is absent or null.
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

  /// Decodes the same as ``bounded(limit:)``, but bypasses `Decodable` for speed.
  ///
  /// A case has far more IDs than anything else.
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
