internal import AccessModel

/// Asks media servers which programs use devices through them.
///
/// Only a daemon that was seen to have a device open is asked: it runs, so that connecting starts
/// nothing.
struct MediaClientObserver {
  /// What the daemon of a user knows; `nil` when it does not answer.
  var graph: (_ user: UInt32) -> PipeWireGraph?
  /// What can be seen of a process.
  var process: (Int32) -> HoldingProcess? = { _ in nil }
  /// Whether a server numbers processes as this one does, and not as another PID namespace does.
  var sharesNumbers: (HoldingProcess) -> Bool = { _ in true }

  /// Adds the clients of each server that answers; none for a device that it does not know.
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

  /// Adds what a server knows of the users of a device that it has open.
  private func add(_ use: PipeWireUse, to holder: inout DeviceHolder) {
    let use = sharesNumbers(holder.process) ? use : use.withoutNumbers
    holder.clients = use.clients(of: holder.process, process)
    if holder.hold.activity == nil { holder.hold.activity = use.activity }
  }

  /// Where servers have devices open, by their user: each user has one daemon, which is asked once.
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
