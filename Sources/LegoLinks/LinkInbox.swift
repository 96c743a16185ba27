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
    guard let deliveries = state.withLock({ $0.add(arrivals) }) else { return false }
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
    let id = state.withLock { $0.makeID() }
    return await withTaskCancellationHandler {
      // What has arrived is for a reader that will look at it.
      if Task.isCancelled { return nil }
      return await withCheckedContinuation { (reader: LinkInboxState.Reader) in
        switch state.withLock({ $0.read(reader, id) }) {
        case .resume(let arrival): reader.resume(returning: arrival)
        // The handler may have run before the reader was there.
        case .wait: if Task.isCancelled { cancel(id) }
        }
      }
    } onCancel: {
      cancel(id)
    }
  }

  private func cancel(_ id: UInt64) {
    state.withLock { $0.cancel(id) }?.resume(returning: nil)
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

/// A link that came from outside of the program, or a wish to see the program.
public struct LinkArrival: Hashable, Sendable {
  /// Where it came from.
  public enum Origin: String, Hashable, Sendable, CustomStringConvertible {
    /// An argument of the program.
    case arguments
    /// The desktop or another program, by the user's bus.
    case bus
    /// A notification of this program.
    case notification

    /// The origin as a word.
    public var description: String { rawValue }
  }

  /// The link as it came, or `nil` when the program was only asked to show itself.
  ///
  /// Anybody may have chosen it.
  public let link: String?
  /// Where it came from.
  public let origin: Origin
  /// What a window shows to the compositor to get the focus (`XDG_ACTIVATION_TOKEN`), or the ID of
  /// a start on X11.
  public let activationToken: String?

  /// Creates an arrival, such as a test's.
  ///
  /// - Parameters:
  ///   - link: The link; `nil` for a wish to see the program.
  ///   - origin: Where it came from.
  ///   - activationToken: What a window needs to get the focus.
  public init(_ link: String?, origin: Origin = .arguments, activationToken: String? = nil) {
    self.link = link
    self.origin = origin
    self.activationToken = activationToken
  }
}

/// What has arrived and is not read, or who waits for it: never both.
struct LinkInboxState {
  typealias Reader = CheckedContinuation<LinkArrival?, Never>

  /// What is to be done after something arrived.
  typealias Delivery = (reader: Reader, arrival: LinkArrival)

  /// What is to be done after somebody came to read.
  enum ReadResult {
    case wait
    case resume(LinkArrival?)
  }

  private var arrivals: [LinkArrival] = []
  /// In the order in which they came.
  private var readers: [(id: UInt64, reader: Reader)] = []
  private var lastID: UInt64 = 0
  private(set) var isFinished = false

  /// Takes all of some arrivals in, or none.
  ///
  /// - Returns: What is to be delivered; `nil` when they are too many, or nobody will read them.
  mutating func add(_ new: [LinkArrival]) -> [Delivery]? {
    guard !isFinished, arrivals.count + new.count <= readers.count + LinkInbox.capacity else {
      return nil
    }
    let count = min(readers.count, new.count)
    let deliveries = zip(readers, new).map { ($0.reader, $1) }
    readers.removeFirst(count)
    arrivals += new[count...]
    return deliveries
  }

  mutating func makeID() -> UInt64 {
    lastID += 1
    return lastID
  }

  /// Takes a reader in, unless it can be served at once.
  mutating func read(_ reader: Reader, _ id: UInt64) -> ReadResult {
    if !arrivals.isEmpty { return .resume(arrivals.removeFirst()) }
    if isFinished { return .resume(nil) }
    readers.append((id, reader))
    return .wait
  }

  /// Lets a reader go.
  mutating func cancel(_ id: UInt64) -> Reader? {
    guard let index = readers.firstIndex(where: { $0.id == id }) else { return nil }
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
