internal import LinuxDevices
internal import MessageBus

/// Messages of the portals of cameras and files, made from whatever bytes there are.
struct FuzzedPortal {
  private var values: FuzzedValues

  private static let portal = ":1.2"
  private static let path = "/org/freedesktop/portal/desktop/request/1_7/t"

  init(_ bytes: [UInt8]) { values = FuzzedValues(bytes) }

  /// Reads the bytes as each message that is read, and as signals of a conversation.
  ///
  /// - Returns: Whether one of them made sense.
  mutating func check() throws(BrokenPromise) -> Bool {
    var isUnderstood = false
    var conversation = PortalRequestState()
    var hasBegun = false
    while let kind = values.byte() {
      let values = values.message()
      isUnderstood = try checkReading(values) || isUnderstood
      if kind == UInt8(ascii: "b"), !hasBegun {
        hasBegun = true
        _ = conversation.begin(Self.path, of: Self.portal)
        continue
      }
      let signal = signal(kind, values)
      guard case .answered(let response) = conversation.receive(signal) else { continue }
      guard hasBegun, signal.sender == Self.portal, signal.path == Self.path,
        values.first?.unsigned == response.rawValue
      else { throw BrokenPromise("an answer that the portal has not given") }
      isUnderstood = true
    }
    return isUnderstood
  }

  private func checkReading(_ values: [BusValue]) throws(BrokenPromise) -> Bool {
    var isUnderstood = false
    if let response = PortalReplyParser.response(values) {
      guard values.first?.unsigned == response.rawValue else {
        throw BrokenPromise("a response that is not in the message")
      }
      isUnderstood = true
    }
    for application in ["", "org.example.Booth"] {
      guard case .answer(let answer) = PortalReplyParser.permission(values, of: application) else {
        continue
      }
      let entries = values.first?.elements ?? []
      guard
        entries.contains(where: {
          $0.elements?.first?.text == application && $0.elements?.last?.texts == [answer.rawValue]
        })
      else { throw BrokenPromise("an answer that is not in the store") }
      isUnderstood = true
    }
    if PortalReplyParser.requestPath(values) != nil { isUnderstood = true }
    for value in values where try checkFiles(in: value) { isUnderstood = true }
    guard PortalReplyParser.remote(values) == nil else {
      throw BrokenPromise("a descriptor in a message without one")
    }
    return isUnderstood || PortalReplyParser.flag(values) != nil
  }

  private func checkFiles(in results: BusValue) throws(BrokenPromise) -> Bool {
    guard let reply = PortalReplyParser.files(results) else { return false }
    guard reply.paths.count + reply.unusable.count <= PortalFileReply.mostFiles,
      Set(reply.paths).count == reply.paths.count
    else { throw BrokenPromise("a file that is told more than once, or too many") }
    let uris = results[key: "uris"]?.elements ?? []
    guard reply.paths.allSatisfy({ path in uris.contains { isURI($0, of: path) } }) else {
      throw BrokenPromise("a file that the portal has not named")
    }
    return !reply.paths.isEmpty
  }

  private func isURI(_ value: BusValue, of path: String) -> Bool {
    guard let uri = value.text else { return false }
    return (try? FileURI.path(uri)) == path
  }

  private func signal(_ kind: UInt8, _ values: [BusValue]) -> BusIncoming {
    let isOwnerChange = kind == UInt8(ascii: "o")
    return BusIncoming(
      isSignal: kind != UInt8(ascii: "c"),
      sender: isOwnerChange ? "org.freedesktop.DBus" : kind & 1 == 0 ? Self.portal : ":1.3",
      path: kind & 2 == 0 ? Self.path : Self.path + "x",
      interface: "org.freedesktop.portal.Request",
      member: isOwnerChange ? "NameOwnerChanged" : "Response", signature: "", arguments: values)
  }
}
