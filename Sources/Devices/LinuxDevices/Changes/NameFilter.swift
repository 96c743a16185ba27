/// A filter that excludes most irrelevant names by their bytes, without creating strings.
///
/// Other programs may constantly create, remove and change files in a busy directory, and each time
/// cause an event.
struct NameFilter {
  /// The number of inserted names with each hash.
  private var hashes: [Int: Int] = [:]
  /// The number of insertions of each prefix.
  private var prefixes: [String: Int] = [:]
  /// A Boolean value that indicates whether a name or prefix that is not ASCII was ever inserted.
  ///
  /// Two equal strings that are not ASCII may consist of different bytes.
  private var hasOtherText = false

  mutating func insert(_ name: String) {
    hashes[hash(name), default: 0] += 1
    hasOtherText = hasOtherText || !name.utf8.allSatisfy { $0 < 0x80 }
  }

  /// Removes a name that was inserted.
  mutating func remove(_ name: String) { Self.remove(hash(name), from: &hashes) }

  /// Inserts all names with a prefix.
  mutating func insert(prefix: String) {
    prefixes[prefix, default: 0] += 1
    hasOtherText = hasOtherText || !prefix.utf8.allSatisfy { $0 < 0x80 }
  }

  /// Removes a prefix that was inserted.
  mutating func remove(prefix: String) { Self.remove(prefix, from: &prefixes) }

  /// Returns whether a name may match; false positives are possible.
  func mayHold(_ name: Span<UInt8>) -> Bool {
    hashes[hash(name)] != nil || hasOtherText
      || prefixes.contains { Self.begins(name, with: $0.key.utf8Span.span) }
  }

  private static func remove<Key>(_ key: Key, from counts: inout [Key: Int]) {
    guard let count = counts[key] else { return }
    counts[key] = count > 1 ? count - 1 : nil
  }

  private func hash(_ name: String) -> Int { hash(name.utf8Span.span) }

  /// Names with the same hash cannot be prepared, because hashes differ in each process.
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
