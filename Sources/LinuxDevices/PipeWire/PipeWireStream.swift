internal import AccessModel

/// The bytes of a conversation with a PipeWire daemon.
struct PipeWireStream: Sendable {
  private var conversation = PipeWireConversation()
  /// What is still to be sent.
  private(set) var output: [UInt8]
  /// The beginning of a message, the rest of which has not come.
  private var input: [UInt8] = []

  init() { output = conversation.start() }

  /// What the daemon has said.
  var graph: PipeWireGraph { conversation.graph }

  /// Whether everything that was asked is answered.
  var isFinished: Bool { conversation.isFinished }

  /// Takes what the daemon has sent.
  ///
  /// - Throws: `EPROTO` for what is no message, `E2BIG` when it says too much.
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

  /// Notes that some bytes of ``output`` were sent.
  mutating func sent(_ count: Int) { output.removeFirst(count) }
}
