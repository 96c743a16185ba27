internal import AccessModel

/// A conversation with a PipeWire daemon as a stream of bytes.
struct PipeWireStream: Sendable {
  private var conversation = PipeWireConversation()
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
