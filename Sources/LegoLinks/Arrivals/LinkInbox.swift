internal import Synchronization

/// Links that arrive, in their order.
///
/// What arrives while nobody reads is kept, up to ``capacity``. Each arrival goes to one reader: the
/// one that has waited longest. `publisher` makes a publisher of it.
public final class LinkInbox: AsyncSequence, Sendable {
  /// How many arrivals are kept for a reader; what comes then is refused.
  public static var capacity: Int { 256 }

  private let state = Mutex(LinkInboxState())

  /// Creates an empty inbox.
  public init() {}

  /// Puts an arrival in, as a test or another source of links does.
  ///
  /// - Parameter arrival: The arrival.
  /// - Returns: Whether it is in; not, when too many are, or the inbox is finished.
  @discardableResult
  public func send(_ arrival: LinkArrival) -> Bool { send([arrival]) }

  /// Puts arrivals in: all of them, or none.
  func send(_ arrivals: [LinkArrival]) -> Bool {
    guard let deliveries = state.withLock({ $0.take(arrivals) }) else { return false }
    for (reader, arrival) in deliveries { reader.resume(returning: arrival) }
    return true
  }

  /// Ends the sequence after what has arrived.
  public func finish() {
    for reader in state.withLock({ $0.finish() }) { reader.resume(returning: nil) }
  }

  /// Whether ``finish()`` was called.
  var isFinished: Bool { state.withLock { $0.isFinished } }

  /// The next arrival; `nil` at the end, and when the task is cancelled.
  func next() async -> LinkArrival? {
    let ticket = state.withLock { $0.ticket() }
    return await withTaskCancellationHandler {
      // What has arrived is for a reader that will look at it.
      if Task.isCancelled { return nil }
      return await withCheckedContinuation { (reader: LinkInboxState.Reader) in
        switch state.withLock({ $0.read(reader, ticket) }) {
        case .go(let arrival): reader.resume(returning: arrival)
        // The handler may have run before the reader was there.
        case .wait: if Task.isCancelled { leave(ticket) }
        }
      }
    } onCancel: {
      leave(ticket)
    }
  }

  private func leave(_ ticket: UInt64) {
    state.withLock { $0.leave(ticket) }?.resume(returning: nil)
  }

  /// Reads the inbox.
  public struct Iterator: AsyncIteratorProtocol {
    let inbox: LinkInbox

    /// The next arrival; `nil` at the end, and when the task is cancelled.
    public mutating func next() async -> LinkArrival? { await inbox.next() }
  }

  /// Begins to read.
  public func makeAsyncIterator() -> Iterator { Iterator(inbox: self) }
}
