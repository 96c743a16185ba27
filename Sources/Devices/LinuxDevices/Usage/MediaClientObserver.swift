internal import AccessModel

/// Asks media servers which programs use devices through them.
///
/// It contacts only daemons that hold a device open. Such a daemon is already running, so
/// connecting to its socket does not start it.
struct MediaClientObserver {
  /// Returns the graph of a user's daemon, or `nil` if it does not answer.
  var graph: (_ user: UInt32) -> PipeWireGraph?
  /// Returns the visible facts of a process, or `nil` if it cannot be seen.
  var process: (Int32) -> HoldingProcess? = { _ in nil }
  /// Returns whether a server uses the process IDs that procfs shows.
  var sharesNumbers: (HoldingProcess) -> Bool = { _ in true }

  /// Adds the clients of each server that answers, for the devices that the server knows.
  func addClients(to facts: inout UseFacts) {
    for (user, places) in servers(in: facts) {
      guard let graph = graph(user) else { continue }
      let uses = graph.uses(of: places.map(\.device))
      for (place, use) in zip(places, uses) {
        guard let use else { continue }
        add(use, to: &facts.devices[place.index].holders[place.holder])
      }
    }
  }

  /// Adds a server's information about the users of a device that it holds open.
  private func add(_ use: PipeWireUse, to holder: inout DeviceHolder) {
    let use = sharesNumbers(holder.process) ? use : use.withoutNumbers
    holder.clients = use.clients(of: holder.process, process)
    if holder.hold.activity == nil { holder.hold.activity = use.activity }
  }

  /// Returns the holders that are media servers, keyed by user, because each user has one daemon.
  private func servers(
    in facts: UseFacts
  ) -> [UInt32: [(device: DeviceFacts, index: Int, holder: Int)]] {
    var servers: [UInt32: [(device: DeviceFacts, index: Int, holder: Int)]] = [:]
    for (index, use) in facts.devices.enumerated() {
      guard let device = use.device else { continue }
      for (holder, process) in use.holders.map(\.process).enumerated() {
        guard process.isPipeWire, let user = process.user else { continue }
        servers[user, default: []].append((device, index, holder))
      }
    }
    return servers
  }
}
