/// The byte sequences that the special keys of a terminal send.
package struct KeySequences: Hashable, Sendable {
  /// The result of matching bytes with the sequences.
  enum Match: Hashable {
    /// The bytes begin with the sequence of a key, which has the given length.
    case key(Key, length: Int)
    /// The bytes may be the beginning of a sequence.
    case beginning
  }

  /// The terminfo capabilities for keys; if two have the same sequence, the first one is used.
  static let capabilities: [(name: String, key: Key)] = [
    ("kcuu1", .up), ("kcud1", .down), ("kcub1", .left), ("kcuf1", .right), ("kpp", .pageUp),
    ("knp", .pageDown), ("khome", .home), ("kend", .end), ("kfnd", .home), ("kslt", .end),
    ("ka1", .home), ("ka3", .pageUp), ("kc1", .end), ("kc3", .pageDown), ("kent", .enter),
    ("kbs", .backspace),
  ]

  private var keys: [[UInt8]: Key] = [:]
  private var beginnings: Set<[UInt8]> = []
  private var longest = 0

  /// Creates an empty set of sequences.
  package init() {}

  /// Adds the sequence of a key, unless another key has it.
  ///
  /// A sequence is ignored if it begins with a printable character, or if every terminal sends it
  /// for Escape, Enter or Backspace. No description may override these.
  package mutating func add(_ bytes: [UInt8], _ key: Key) {
    guard let first = bytes.first, first < 0x20 || (0x7F..<0xA0).contains(first),
      bytes.count <= 32, bytes.count > 1 || !Self.fixed.contains(first), keys[bytes] == nil
    else { return }
    keys[bytes] = key
    longest = max(longest, bytes.count)
    for count in 1..<bytes.count { beginnings.insert(Array(bytes.prefix(count))) }
  }

  private static let fixed: Set<UInt8> = [0x08, 0x0D, 0x1B, 0x7F]

  /// Finds the longest sequence with which the bytes begin.
  ///
  /// - Parameters:
  ///   - bytes: The bytes that the terminal sent.
  ///   - isAll: `true` if no more bytes follow.
  /// - Returns: The match; `nil` if the bytes do not begin with a known sequence.
  func match(_ bytes: ArraySlice<UInt8>, isAll: Bool = false) -> Match? {
    if !isAll, bytes.count < longest, beginnings.contains(Array(bytes)) { return .beginning }
    for count in stride(from: min(longest, bytes.count), to: 0, by: -1) {
      if let key = keys[Array(bytes.prefix(count))] { return .key(key, length: count) }
    }
    return nil
  }
}
