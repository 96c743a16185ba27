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

  /// The same without the numbers of processes, for a daemon that numbers them otherwise.
  var withoutNumbers: PipeWireUse {
    var use = self
    for index in use.users.indices {
      use.users[index].process = nil
      use.users[index].client.processID = nil
    }
    return use
  }

  /// The programs that use the device through the daemon.
  ///
  /// The media server's own filters are not programs to be named as long as others get what they
  /// give. Where nobody does, or where they keep it, the server is named.
  ///
  /// - Parameters:
  ///   - server: The daemon, which has the device open.
  ///   - process: What can be seen of a process.
  /// - Returns: The programs, each once.
  func clients(
    of server: HoldingProcess, _ process: (Int32) -> HoldingProcess?
  ) -> [MediaClient] {
    func isOwn(_ user: User) -> Bool {
      user.process.map { $0 == server.id || process($0)?.isMediaServer == true } ?? false
    }
    var clients: [MediaClient] = []
    // Whoever owns the daemon may have it name thousands.
    var places: [MediaClient: Int] = [:]
    func add(_ client: MediaClient) {
      var key = client
      key.isStreaming = false
      if let place = places[key] {
        if client.isStreaming { clients[place].isStreaming = true }
      } else if clients.count < DeviceHolder.mostClients {
        places[key] = clients.count
        clients.append(client)
      }
    }
    for user in users where !isOwn(user) {
      var client = user.client
      // What a program says of itself does not make it the server.
      if client.processID == server.id { client.processID = nil }
      if client.processID == user.process, let process = user.process.flatMap(process),
        // What a daemon says of the processes of others is not believed.
        process.user == server.user
      {
        client.process = process
      }
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
