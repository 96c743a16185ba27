internal import AccessModel

/// The protocol state of a connection to a PipeWire daemon, which finds out who uses its devices.
///
/// It lists the daemon's objects, binds the relevant ones, and changes nothing. Then it processes
/// the events for objects that are added, changed or removed. This type performs no input or
/// output.
struct PipeWireSession: Sendable {
  /// The objects that the daemon has reported so far.
  private(set) var graph = PipeWireGraph()
  /// The global ID of each bound object, keyed by the proxy ID that this client chose.
  private var bound: [UInt32: UInt32] = [:]
  /// The proxy IDs that the daemon has released.
  ///
  /// The daemon accepts only a released ID or the next higher one.
  private var unused: [UInt32] = []
  /// The number of messages that were sent.
  private var sent: UInt32 = 0
  /// The sequence numbers of the last sync request and of the last one that the daemon answered.
  private var (round, answered): (Int64, Int64) = (0, 0)
  /// A Boolean value that indicates whether an object was bound since the last sync request.
  private var asksMore = false

  /// The ID of the core object, which exists on every connection.
  private static let core: UInt32 = 0
  private static let client: UInt32 = 1
  private static let registry: UInt32 = 2
  private static let firstBound: UInt32 = 3
  private static let version: PipeWireValue = .number(3)
  /// A limit that exceeds the number of objects of a daemon for one user.
  private static let mostObjects = 16384
  /// A limit in bytes that exceeds the size of those objects.
  private static let largestGraph = 1 << 24

  /// A Boolean value that indicates whether the daemon has answered the last sync request.
  ///
  /// If so, all properties of all known objects have been received.
  var isFinished: Bool { answered >= round }

  /// A Boolean value that indicates whether the daemon has reported more objects than it plausibly
  /// has.
  var isTooBig: Bool {
    graph.objects.count > Self.mostObjects || bound.count > Self.mostObjects
      || graph.size > Self.largestGraph
  }

  /// Returns the first bytes to send.
  mutating func start() -> [UInt8] {
    let properties: [PipeWireValue] = [.number(1), .text("application.name"), .text("devaccess")]
    return [
      PipeWireMessage(Self.core, 1, [Self.version]),
      PipeWireMessage(Self.client, 2, [.structure(properties)]),
      PipeWireMessage(Self.core, 5, [Self.version, .number(Int64(Self.registry))]),
    ].flatMap { bytes(of: $0) } + nextRound()
  }

  /// Processes a message from the daemon.
  ///
  /// - Returns: The bytes to send in reply.
  mutating func receive(_ message: PipeWireMessage) -> [UInt8] {
    let arguments = message.arguments
    switch (message.object, message.operation) {
    case (Self.core, 1): return done(arguments)
    case (Self.core, 2): return bytes(of: PipeWireMessage(Self.core, 3, Array(arguments.prefix(2))))
    case (Self.core, 4):
      if case .number(let number)? = arguments.first, let own = UInt32(exactly: number),
        bound.removeValue(forKey: own) != nil
      {
        unused.append(own)
      }
    case (Self.registry, 0): return add(arguments)
    case (Self.registry, 1):
      if case .number(let id)? = arguments.first { graph.remove(UInt32(truncatingIfNeeded: id)) }
    case (let object, 0):
      if let id = bound[object] { graph.update(id, with: arguments) }
    default: break
    }
    return []
  }

  /// Processes the answer to a sync request.
  ///
  /// Objects that were bound after the request are complete only after the next one.
  private mutating func done(_ arguments: [PipeWireValue]) -> [UInt8] {
    guard arguments.count > 1, case .number(let number) = arguments[1], number == round else {
      return []
    }
    answered = round
    return asksMore ? nextRound() : []
  }

  private mutating func nextRound() -> [UInt8] {
    round += 1
    asksMore = false
    return bytes(of: PipeWireMessage(Self.core, 2, [.number(0), .number(round)]))
  }

  private mutating func add(_ arguments: [PipeWireValue]) -> [UInt8] {
    guard let id = graph.add(arguments) else { return [] }
    let own = unused.popLast() ?? Self.firstBound + UInt32(bound.count)
    bound[own] = id
    let question = bytes(
      of: PipeWireMessage(
        Self.registry, 1, [arguments[0], arguments[2], Self.version, .number(Int64(own))]))
    guard isFinished else {
      asksMore = true
      return question
    }
    return question + nextRound()
  }

  private mutating func bytes(of message: PipeWireMessage) -> [UInt8] {
    sent &+= 1
    return message.bytes(number: sent &- 1)
  }
}

/// A conversation with a PipeWire daemon as a stream of bytes.
struct PipeWireStream: Sendable {
  private var conversation = PipeWireSession()
  /// The bytes that remain to be sent.
  private(set) var output: [UInt8]
  /// The received part of an incomplete message.
  private var input: [UInt8] = []

  init() { output = conversation.start() }

  /// The daemon's objects, as received so far.
  var graph: PipeWireGraph { conversation.graph }

  /// A Boolean value that indicates whether the daemon has answered everything.
  var isFinished: Bool { conversation.isFinished }

  /// Processes bytes that the daemon sent.
  ///
  /// - Throws: `EPROTO` if a message is malformed, `E2BIG` if the daemon has sent too many objects.
  mutating func take(_ bytes: ArraySlice<UInt8>) throws(Errno) {
    input += bytes
    var start = 0
    while let size = PipeWireMessage.size(of: input[start...]), input.count - start >= size {
      guard let message = PipeWireMessage(parsing: input[start..<(start + size)]) else {
        throw .protocolError
      }
      output += conversation.receive(message)
      guard !conversation.isTooBig else { throw .tooBig }
      start += size
    }
    input.removeFirst(start)
  }

  /// Removes the bytes that were sent from the start of ``output``.
  mutating func sent(_ count: Int) { output.removeFirst(count) }
}
