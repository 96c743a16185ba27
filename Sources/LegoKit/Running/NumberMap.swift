/// Values by their numbers.
///
/// The numbers are a store's own and grow, so that nobody can choose them to collide. A dictionary
/// hashes each with a secret, which takes longer than all the rest of finding it.
struct NumberMap<Value: Sendable>: Sendable {
  private struct Slot: Sendable {
    var number: UInt64 = 0
    var value: Value?
  }

  /// As many as a power of two, a quarter of them free; none at first.
  private var slots: [Slot] = []
  /// How far a number's hash is shifted to be the slot in which it stands, or before which none is
  /// free.
  private var shift: UInt64 = 64
  private var count = 0

  var isEmpty: Bool { count == 0 }

  /// The entries, in no order.
  var all: [(key: UInt64, value: Value)] {
    slots.compactMap { slot in slot.value.map { (slot.number, $0) } }
  }

  func contains(_ number: UInt64) -> Bool { index(of: number) != nil }

  subscript(number: UInt64) -> Value? { index(of: number).flatMap { slots[$0].value } }

  /// Puts a value in, in the place of the one that has its number.
  mutating func insert(_ value: consuming Value, for number: UInt64) {
    if let index = index(of: number) {
      slots[index].value = value
      return
    }
    if (count + 1) * 4 > slots.count * 3 { grow() }
    put(value, for: number)
    count += 1
  }

  /// Takes a value out.
  mutating func remove(_ number: UInt64) -> Value? {
    guard let index = index(of: number), let value = slots[index].value.take() else { return nil }
    count -= 1
    // A burst must not keep its memory for good.
    if count == 0, slots.count > 64 {
      self = NumberMap()
    } else {
      close(index)
    }
    return value
  }

  private func home(of number: UInt64) -> Int {
    Int(truncatingIfNeeded: (number &* 0x9E37_79B9_7F4A_7C15) >> shift)
  }

  private func next(after index: Int) -> Int { (index &+ 1) & (slots.count &- 1) }

  private func index(of number: UInt64) -> Int? {
    if count == 0 { return nil }
    var index = home(of: number)
    while slots[index].value != nil {
      if slots[index].number == number { return index }
      index = next(after: index)
    }
    return nil
  }

  /// Puts a value into the first free slot from its home on.
  private mutating func put(_ value: consuming Value, for number: UInt64) {
    var index = home(of: number)
    while slots[index].value != nil { index = next(after: index) }
    slots[index].number = number
    slots[index].value = value
  }

  private mutating func grow() {
    let old = slots
    let size = max(16, old.count * 4)
    slots = Array(repeating: Slot(), count: size)
    shift = UInt64(64 - size.trailingZeroBitCount)
    for slot in old {
      if let value = slot.value { put(value, for: slot.number) }
    }
  }

  /// Moves those up that stand behind a slot that became free, as far as it is on their way.
  private mutating func close(_ free: Int) {
    var free = free
    var index = next(after: free)
    while slots[index].value != nil {
      let home = home(of: slots[index].number)
      // Whether its home is not between the free slot and its own.
      if (index &- home) & (slots.count &- 1) >= (index &- free) & (slots.count &- 1) {
        slots.swapAt(free, index)
        free = index
      }
      index = next(after: index)
    }
  }
}
