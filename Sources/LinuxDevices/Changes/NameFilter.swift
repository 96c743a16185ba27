/// Tells from the bytes of a name that it is not among some names, without making text of it.
///
/// Others may come, go and change in a busy directory all the time, and each of them is an event.
struct NameFilter {
  /// How many of the names have each hash.
  private var hashes: [Int: Int] = [:]
  /// How often there is each beginning of names.
  private var prefixes: [String: Int] = [:]
  /// Whether there ever was one that is not ASCII: the same text can be of other bytes then.
  private var hasOtherText = false

  mutating func insert(_ name: String) {
    hashes[hash(name), default: 0] += 1
    hasOtherText = hasOtherText || !name.utf8.allSatisfy { $0 < 0x80 }
  }

  /// Removes a name that was inserted.
  mutating func remove(_ name: String) { Self.remove(hash(name), from: &hashes) }

  /// Inserts every name that begins so.
  mutating func insert(prefix: String) {
    prefixes[prefix, default: 0] += 1
    hasOtherText = hasOtherText || !prefix.utf8.allSatisfy { $0 < 0x80 }
  }

  /// Removes a beginning that was inserted.
  mutating func remove(prefix: String) { Self.remove(prefix, from: &prefixes) }

  /// Whether a name may be among them.
  func mayHold(_ name: Span<UInt8>) -> Bool {
    hashes[hash(name)] != nil || hasOtherText
      || prefixes.contains { Self.begins(name, with: $0.key.utf8Span.span) }
  }

  private static func remove<Key>(_ key: Key, from counts: inout [Key: Int]) {
    guard let count = counts[key] else { return }
    counts[key] = count > 1 ? count - 1 : nil
  }

  private func hash(_ name: String) -> Int { hash(name.utf8Span.span) }

  /// Nobody knows names in advance that have the hash of another: it differs in each process.
  private func hash(_ name: Span<UInt8>) -> Int {
    var hasher = Hasher()
    unsafe name.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    return hasher.finalize()
  }

  private static func begins(_ name: Span<UInt8>, with prefix: Span<UInt8>) -> Bool {
    guard name.count >= prefix.count else { return false }
    for index in prefix.indices where name[index] != prefix[index] { return false }
    return true
  }
}
