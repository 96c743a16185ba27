/// What has arrived and is not read, or who waits for it: never both.
struct LinkInboxState {
  typealias Reader = CheckedContinuation<LinkArrival?, Never>

  /// What is to be done after something arrived.
  typealias Delivery = (reader: Reader, arrival: LinkArrival)

  /// What is to be done after somebody came to read.
  enum Reading {
    case wait
    case go(LinkArrival?)
  }

  private var arrivals: [LinkArrival] = []
  /// In the order in which they came.
  private var readers: [(ticket: UInt64, reader: Reader)] = []
  private var lastTicket: UInt64 = 0
  private(set) var isFinished = false

  /// Takes all of some arrivals in, or none.
  ///
  /// - Returns: What is to be delivered; `nil` when they are too many, or nobody will read them.
  mutating func take(_ new: [LinkArrival]) -> [Delivery]? {
    guard !isFinished, arrivals.count + new.count <= readers.count + LinkInbox.capacity else {
      return nil
    }
    let count = min(readers.count, new.count)
    let deliveries = zip(readers, new).map { ($0.reader, $1) }
    readers.removeFirst(count)
    arrivals += new[count...]
    return deliveries
  }

  mutating func ticket() -> UInt64 {
    lastTicket += 1
    return lastTicket
  }

  /// Takes a reader in, unless it can be served at once.
  mutating func read(_ reader: Reader, _ ticket: UInt64) -> Reading {
    if !arrivals.isEmpty { return .go(arrivals.removeFirst()) }
    if isFinished { return .go(nil) }
    readers.append((ticket, reader))
    return .wait
  }

  /// Lets a reader go.
  mutating func leave(_ ticket: UInt64) -> Reader? {
    guard let index = readers.firstIndex(where: { $0.ticket == ticket }) else { return nil }
    return readers.remove(at: index).reader
  }

  /// Ends it.
  ///
  /// - Returns: Who waits.
  mutating func finish() -> [Reader] {
    isFinished = true
    defer { readers = [] }
    return readers.map(\.reader)
  }
}
