internal import AccessModel

/// The users of one device that a PipeWire daemon knows.
struct PipeWireUse: Hashable, Sendable {
  /// A program that receives data from the device or sends data to it.
  struct User: Hashable, Sendable {
    /// The role of the program in the data flow.
    enum Part: Hashable, Sendable {
      case keeps
      /// It passes the data on to other programs, which are listed as users too.
      case passesOn
      /// It offers the data to other programs, but none is connected.
      case offers
    }

    var client: MediaClient
    /// The process that opened the connection, according to the kernel; `nil` for a client of the
    /// PulseAudio server.
    var process: Int32?
    var part: Part
  }

  /// The programs; a program appears once for each node that uses the device.
  var users: [User]
  /// The activity of the nodes; `nil` if the daemon does not report it.
  var activity: DeviceHold.Activity?

  /// The same use without process IDs, for a daemon in a different PID namespace.
  var withoutNumbers: PipeWireUse {
    var use = self
    for index in use.users.indices {
      use.users[index].process = nil
      use.users[index].client.processID = nil
    }
    return use
  }

  /// Returns the programs that use the device through the daemon.
  ///
  /// The media server's own filters are not listed if other programs receive their data. If a
  /// filter keeps the data, or no other program receives it, the server is listed.
  ///
  /// - Parameters:
  ///   - server: The daemon, which holds the device open.
  ///   - process: Returns the visible facts of a process, or `nil` if it cannot be seen.
  /// - Returns: The programs, each once.
  func clients(
    of server: HoldingProcess, _ process: (Int32) -> HoldingProcess?
  ) -> [MediaClient] {
    func isOwn(_ user: User) -> Bool {
      user.process.map { $0 == server.id || process($0)?.isMediaServer == true } ?? false
    }
    var clients: [MediaClient] = []
    // The owner of a daemon could make it report thousands of clients.
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
      // A program cannot claim to be the server.
      if client.processID == server.id { client.processID = nil }
      if client.processID == user.process, let process = user.process.flatMap(process),
        // A daemon is not trusted to name processes of other users.
        process.user == server.user
      {
        client.process = process
      }
      add(client)
    }
    let isStreaming = clients.contains(where: \.isStreaming)
    for user in users where isOwn(user) && user.part != .passesOn {
      // A filter runs whenever the device runs, no matter which program started the device.
      let isElsewhere = isStreaming || !user.client.isStreaming && !clients.isEmpty
      if user.part == .offers, isElsewhere { continue }
      add(
        MediaClient(
          name: server.name, processID: server.id, isStreaming: user.client.isStreaming))
    }
    return clients
  }
}
