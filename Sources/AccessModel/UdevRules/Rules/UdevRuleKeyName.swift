/// The name of a key as it is written, in numbers: each line of each file has some to look up.
struct UdevRuleKeyName: Hashable, Sendable {
  /// Takes a name one byte after the other.
  struct Reader {
    private var head: UInt64 = 0
    private var tail: UInt64 = 0
    private var count = 0

    mutating func add(_ byte: UInt8) {
      head = head << 8 | tail >> 56
      tail = tail << 8 | UInt64(byte)
      count += 1
    }

    /// The name; `nil` for one that is longer than any key.
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

  /// Takes a name; `nil` for one that is longer than any key.
  init?(_ bytes: some Collection<UInt8>) {
    guard bytes.count <= 16 else { return nil }
    var reader = Reader()
    for byte in bytes { reader.add(byte) }
    guard let name = reader.name else { return nil }
    self = name
  }
}
