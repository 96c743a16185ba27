/// What is said to a PipeWire daemon to learn who uses its devices, and what was answered.
///
/// It lists the objects of the daemon, asks about those that tell, and changes nothing. Then it
/// goes on with what the daemon says of itself: that objects come, change and go. No input or
/// output is done here.
struct PipeWireConversation: Sendable {
  /// What is known so far.
  private(set) var graph = PipeWireGraph()
  /// The objects that were asked about, by the numbers that this side gave them.
  private var bound: [UInt32: UInt32] = [:]
  /// Numbers of this side that the daemon has given back.
  ///
  /// It takes no others than these and the next one.
  private var unused: [UInt32] = []
  /// How many messages were sent.
  private var sent: UInt32 = 0
  /// The round of questions that was begun last, and the one that was answered last.
  private var (round, answered): (Int64, Int64) = (0, 0)
  /// Whether something was asked since the round began.
  private var asksMore = false

  /// The object that every conversation begins with.
  private static let core: UInt32 = 0
  private static let client: UInt32 = 1
  private static let registry: UInt32 = 2
  private static let firstBound: UInt32 = 3
  private static let version: PipeWireValue = .number(3)
  /// More objects than a daemon for one person has.
  private static let mostObjects = 16384
  /// More bytes than those need.
  private static let largestGraph = 1 << 24

  /// Whether everything that was asked is answered: each object that is known is known whole.
  var isFinished: Bool { answered >= round }

  /// Whether the daemon says more than one for a person has to say.
  var isTooBig: Bool {
    graph.objects.count > Self.mostObjects || bound.count > Self.mostObjects
      || graph.size > Self.largestGraph
  }

  /// The first bytes to send.
  mutating func start() -> [UInt8] {
    let properties: [PipeWireValue] = [.number(1), .text("application.name"), .text("devaccess")]
    return [
      PipeWireMessage(Self.core, 1, [Self.version]),
      PipeWireMessage(Self.client, 2, [.structure(properties)]),
      PipeWireMessage(Self.core, 5, [Self.version, .number(Int64(Self.registry))]),
    ].flatMap { bytes(of: $0) } + nextRound()
  }

  /// Takes a message of the daemon.
  ///
  /// - Returns: The bytes to send.
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

  /// What was asked during a round is answered by the end of the next one.
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
