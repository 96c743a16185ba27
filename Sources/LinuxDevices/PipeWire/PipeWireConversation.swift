/// What is said to a PipeWire daemon to learn who uses its devices, and what was answered.
///
/// It lists the objects of the daemon, asks about those that tell, and changes nothing. No input
/// or output is done here.
struct PipeWireConversation: Sendable {
  /// What is known so far.
  private(set) var graph = PipeWireGraph()
  /// Whether everything was answered.
  private(set) var isFinished = false
  /// The objects that were asked about, by the numbers that this side gave them.
  private var bound: [UInt32: UInt32] = [:]
  private var sent: UInt32 = 0

  /// The object that every conversation begins with.
  private static let core: UInt32 = 0
  private static let client: UInt32 = 1
  private static let registry: UInt32 = 2
  private static let firstBound: UInt32 = 3
  private static let version: PipeWireValue = .number(3)
  /// More objects than a daemon for one person has.
  private static let mostObjects = 16384

  /// The first bytes to send.
  mutating func start() -> [UInt8] {
    let properties: [PipeWireValue] = [.number(1), .text("application.name"), .text("devaccess")]
    return [
      PipeWireMessage(Self.core, 1, [Self.version]),
      PipeWireMessage(Self.client, 2, [.structure(properties)]),
      PipeWireMessage(Self.core, 5, [Self.version, .number(Int64(Self.registry))]),
      PipeWireMessage(Self.core, 2, [.number(0), .number(1)]),
    ].flatMap { bytes(of: $0) }
  }

  /// Takes a message of the daemon.
  ///
  /// - Returns: The bytes to send.
  mutating func receive(_ message: PipeWireMessage) -> [UInt8] {
    let arguments = message.arguments
    switch (message.object, message.operation) {
    case (Self.core, 1): return done(arguments)
    case (Self.core, 2): return bytes(of: PipeWireMessage(Self.core, 3, Array(arguments.prefix(2))))
    case (Self.registry, 0): return add(arguments)
    case (Self.registry, 1):
      if case .number(let id)? = arguments.first { graph.remove(UInt32(truncatingIfNeeded: id)) }
    case (let object, 0):
      if let id = bound[object] { graph.update(id, with: arguments) }
    default: break
    }
    return []
  }

  /// Every question before the first round was answered; those about objects are by the second.
  private mutating func done(_ arguments: [PipeWireValue]) -> [UInt8] {
    guard arguments.count > 1, case .number(let round) = arguments[1] else { return [] }
    if round == 2 { isFinished = true }
    guard round == 1 else { return [] }
    return bytes(of: PipeWireMessage(Self.core, 2, [.number(0), .number(2)]))
  }

  private mutating func add(_ arguments: [PipeWireValue]) -> [UInt8] {
    guard bound.count < Self.mostObjects, let id = graph.add(arguments) else { return [] }
    let own = Self.firstBound + UInt32(bound.count)
    bound[own] = id
    return bytes(
      of: PipeWireMessage(
        Self.registry, 1, [arguments[0], arguments[2], Self.version, .number(Int64(own))]))
  }

  private mutating func bytes(of message: PipeWireMessage) -> [UInt8] {
    sent += 1
    return message.bytes(number: sent - 1)
  }
}
