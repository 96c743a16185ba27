internal import AccessModel

/// What a PipeWire daemon knows of the users of one device.
struct PipeWireUse: Hashable, Sendable {
  /// A program whose nodes the device leads to, or comes from.
  struct User: Hashable, Sendable {
    /// What it does with what it gets.
    enum Part: Hashable, Sendable {
      case keeps
      /// It gives it to other programs, which are users as well.
      case passesOn
      /// It would give it to others, and nobody takes it.
      case offers
    }

    var client: MediaClient
    /// The process that the kernel told the daemon; `nil` for a program that PulseAudio's server
    /// speaks for.
    var process: Int32?
    var part: Part
  }

  /// The programs, the same one several times where it plays several parts.
  var users: [User]
  /// Whether data flows; `nil` where the daemon does not tell.
  var activity: DeviceHold.Activity?

  /// The programs that use the device through the daemon.
  ///
  /// The media server's own filters are not programs to be named as long as others get what they
  /// give. Where nobody does, or where they keep it, the server is named.
  ///
  /// - Parameters:
  ///   - server: The daemon, which has the device open.
  ///   - isServer: Whether a process is a media server.
  /// - Returns: The programs, each once.
  func clients(of server: HoldingProcess, isServer: (Int32) -> Bool) -> [MediaClient] {
    func isOwn(_ user: User) -> Bool {
      user.process.map { $0 == server.id || isServer($0) } ?? false
    }
    var clients: [MediaClient] = []
    func add(_ client: MediaClient) {
      var other = client
      other.isStreaming.toggle()
      if let index = clients.firstIndex(of: other) {
        clients[index].isStreaming = true
      } else if !clients.contains(client) {
        clients.append(client)
      }
    }
    for user in users where !isOwn(user) {
      var client = user.client
      // What a program says of itself does not make it the server.
      if client.processID == server.id { client.processID = nil }
      add(client)
    }
    let isStreaming = clients.contains(where: \.isStreaming)
    for user in users where isOwn(user) && user.part != .passesOn {
      // A filter runs along with the device, whoever has it run.
      let isElsewhere = isStreaming || !user.client.isStreaming && !clients.isEmpty
      if user.part == .offers, isElsewhere { continue }
      add(
        MediaClient(
          name: server.name, processID: server.id, isStreaming: user.client.isStreaming))
    }
    return clients
  }
}
