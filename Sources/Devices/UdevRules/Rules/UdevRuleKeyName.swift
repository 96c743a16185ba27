/// The name of a key, packed into integers for fast lookup.
struct UdevRuleKeyName: Hashable, Sendable {
  /// Collects a name byte by byte.
  struct Reader {
    private var head: UInt64 = 0
    private var tail: UInt64 = 0
    private var count = 0

    mutating func add(_ byte: UInt8) {
      head = head << 8 | tail >> 56
      tail = tail << 8 | UInt64(byte)
      count += 1
    }

    /// The name; `nil` if it is longer than any key.
    var name: UdevRuleKeyName? {
      count <= 16 ? UdevRuleKeyName(head: head, tail: tail, count: count) : nil
    }
  }

  private let head: UInt64
  private let tail: UInt64
  private let count: Int

  private init(head: UInt64, tail: UInt64, count: Int) {
    self.head = head
    self.tail = tail
    self.count = count
  }

  /// Creates a name; fails if it is longer than any key.
  init?(_ bytes: some Collection<UInt8>) {
    guard bytes.count <= 16 else { return nil }
    var reader = Reader()
    for byte in bytes { reader.add(byte) }
    guard let name = reader.name else { return nil }
    self = name
  }
}
