/// The name of a key as it is written, in numbers: each line of each file has some to look up.
struct UdevRuleKeyName: Hashable, Sendable {
  private var head: UInt64 = 0
  private var tail: UInt64 = 0
  private let count: Int

  /// Takes a name; `nil` for one that is longer than any key.
  init?(_ bytes: some Collection<UInt8>) {
    count = bytes.count
    guard count <= 16 else { return nil }
    for byte in bytes {
      head = head << 8 | tail >> 56
      tail = tail << 8 | UInt64(byte)
    }
  }
}
