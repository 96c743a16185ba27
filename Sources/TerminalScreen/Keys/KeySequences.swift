/// What the special keys of one kind of terminal send.
package struct KeySequences: Hashable, Sendable {
  /// How far bytes go towards a key.
  enum Match: Hashable {
    /// They begin with what a key sends: so many bytes.
    case key(Key, length: Int)
    /// They may be the beginning of what a key sends.
    case beginning
  }

  /// The capabilities of terminfo that name keys; of two that send the same, the first counts.
  static let capabilities: [(name: String, key: Key)] = [
    ("kcuu1", .up), ("kcud1", .down), ("kcub1", .left), ("kcuf1", .right), ("kpp", .pageUp),
    ("knp", .pageDown), ("khome", .home), ("kend", .end), ("kfnd", .home), ("kslt", .end),
    ("ka1", .home), ("ka3", .pageUp), ("kc1", .end), ("kc3", .pageDown), ("kent", .enter),
    ("kbs", .backspace),
  ]

  private var keys: [[UInt8]: Key] = [:]
  private var beginnings: Set<[UInt8]> = []
  private var longest = 0

  /// Knows no key.
  package init() {}

  /// Adds what a key sends, unless another key sends it.
  ///
  /// Left out is what begins with a character that can be typed, and what every terminal's keys for
  /// Escape, Enter and Backspace send: no description may take these away.
  package mutating func add(_ bytes: [UInt8], _ key: Key) {
    guard let first = bytes.first, first < 0x20 || (0x7F..<0xA0).contains(first),
      bytes.count <= 32, bytes.count > 1 || !Self.fixed.contains(first), keys[bytes] == nil
    else { return }
    keys[bytes] = key
    longest = max(longest, bytes.count)
    for count in 1..<bytes.count { beginnings.insert(Array(bytes.prefix(count))) }
  }

  private static let fixed: Set<UInt8> = [0x08, 0x0D, 0x1B, 0x7F]

  /// Finds the longest sequence that some bytes begin with.
  ///
  /// - Parameters:
  ///   - bytes: What the terminal sent.
  ///   - isAll: Whether nothing follows them.
  /// - Returns: `nil` where they begin with none of these keys.
  func match(_ bytes: ArraySlice<UInt8>, isAll: Bool = false) -> Match? {
    if !isAll, bytes.count < longest, beginnings.contains(Array(bytes)) { return .beginning }
    for count in stride(from: min(longest, bytes.count), to: 0, by: -1) {
      if let key = keys[Array(bytes.prefix(count))] { return .key(key, length: count) }
    }
    return nil
  }
}
