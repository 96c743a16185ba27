internal import Synchronization

/// A queue of arriving links.
///
/// Arrivals are buffered until they are read, up to ``capacity``. Each arrival is delivered to a
/// single reader: the reader that has waited longest. To receive the arrivals from a publisher, use
/// the `publisher` property.
public final class LinkInbox: AsyncSequence, Sendable {
  /// The maximum number of buffered arrivals.
  ///
  /// Further arrivals are rejected.
  public static var capacity: Int { 256 }

  private let state = Mutex(LinkInboxState())

  /// Creates an empty inbox.
  public init() {}

  /// Adds an arrival, for example from a test or another source of links.
  ///
  /// - Parameter arrival: The arrival to add.
  /// - Returns: `true` if the arrival was added; `false` if the buffer is full or the inbox is
  ///   finished.
  @discardableResult
  public func send(_ arrival: LinkArrival) -> Bool { send([arrival]) }

  /// Adds all of the arrivals, or none of them if the buffer has too little room or the inbox is
  /// finished.
  func send(_ arrivals: [LinkArrival]) -> Bool {
    guard let deliveries = state.withLock({ $0.add(arrivals) }) else { return false }
    for (reader, arrival) in deliveries { reader.resume(returning: arrival) }
    return true
  }

  /// Ends the sequence once the buffered arrivals have been read.
  public func finish() {
    for reader in state.withLock({ $0.finish() }) { reader.resume(returning: nil) }
  }

  /// A Boolean value that indicates whether ``finish()`` has been called.
  var isFinished: Bool { state.withLock { $0.isFinished } }

  /// Returns the next arrival, or `nil` if the sequence has ended or the task is cancelled.
  func next() async -> LinkArrival? {
    let id = state.withLock { $0.makeID() }
    return await withTaskCancellationHandler {
      // A cancelled reader must not consume an arrival.
      if Task.isCancelled { return nil }
      return await withCheckedContinuation { (reader: LinkInboxState.Reader) in
        switch state.withLock({ $0.read(reader, id) }) {
        case .resume(let arrival): reader.resume(returning: arrival)
        // The cancellation handler may have run before the reader was added.
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

  /// An iterator over the arrivals.
  public struct Iterator: AsyncIteratorProtocol {
    let inbox: LinkInbox

    /// Returns the next arrival, or `nil` if the sequence has ended or the task is cancelled.
    public mutating func next() async -> LinkArrival? { await inbox.next() }
  }

  /// Creates an iterator over the arrivals.
  public func makeAsyncIterator() -> Iterator { Iterator(inbox: self) }
}

/// A link from outside the program, or a request to show the program.
public struct LinkArrival: Hashable, Sendable {
  /// The origin of an arrival.
  public enum Origin: String, Hashable, Sendable, CustomStringConvertible {
    /// The command-line arguments of the program.
    case arguments
    /// The desktop or another program, over the user's bus.
    case bus
    /// A notification of this program, or an action in the menu of its icon.
    case notification

    /// The name of the origin.
    public var description: String { rawValue }
  }

  /// The link as received, or `nil` if the program is only asked to show itself.
  ///
  /// Do not trust the link, because any program or web page may have sent it.
  public let link: String?
  /// The origin of the arrival.
  public let origin: Origin
  /// The token that a window passes to the compositor to receive the focus
  /// (`XDG_ACTIVATION_TOKEN`), the startup ID on X11, or `nil` if neither was passed.
  public let activationToken: String?

  /// Creates an arrival, for example in a test.
  ///
  /// - Parameters:
  ///   - link: The link, or `nil` for a request to show the program.
  ///   - origin: The origin of the arrival.
  ///   - activationToken: The token that a window needs to receive the focus, if there is one.
  public init(_ link: String?, origin: Origin = .arguments, activationToken: String? = nil) {
    self.link = link
    self.origin = origin
    self.activationToken = activationToken
  }
}

/// The state of an inbox, which has unread arrivals or waiting readers, but never both.
struct LinkInboxState {
  typealias Reader = CheckedContinuation<LinkArrival?, Never>

  /// A waiting reader, and the arrival to deliver to it.
  typealias Delivery = (reader: Reader, arrival: LinkArrival)

  /// The response to a request for the next arrival.
  enum ReadResult {
    case wait
    case resume(LinkArrival?)
  }

  private var arrivals: [LinkArrival] = []
  /// The waiting readers, in the order in which they began to wait.
  private var readers: [(id: UInt64, reader: Reader)] = []
  private var lastID: UInt64 = 0
  private(set) var isFinished = false

  /// Adds all of the arrivals or none of them.
  ///
  /// - Returns: The arrivals for waiting readers, or `nil` if the buffer has too little room or the
  ///   inbox is finished.
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

  /// Adds a reader, unless the result is available immediately.
  mutating func read(_ reader: Reader, _ id: UInt64) -> ReadResult {
    if !arrivals.isEmpty { return .resume(arrivals.removeFirst()) }
    if isFinished { return .resume(nil) }
    readers.append((id, reader))
    return .wait
  }

  /// Removes a waiting reader.
  ///
  /// - Returns: The reader, or `nil` if it is not waiting.
  mutating func cancel(_ id: UInt64) -> Reader? {
    guard let index = readers.firstIndex(where: { $0.id == id }) else { return nil }
    return readers.remove(at: index).reader
  }

  /// Finishes the inbox.
  ///
  /// - Returns: The waiting readers, which the caller must resume.
  mutating func finish() -> [Reader] {
    isFinished = true
    defer { readers = [] }
    return readers.map(\.reader)
  }
}
