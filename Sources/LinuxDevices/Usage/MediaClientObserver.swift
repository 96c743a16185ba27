internal import AccessModel

/// Asks media servers which programs use devices through them.
///
/// Only a daemon that was seen to have a device open is asked: it runs, so that connecting starts
/// nothing.
struct MediaClientObserver {
  /// What the daemon of a user knows; `nil` when it does not answer.
  let graph: (_ user: UInt32) -> PipeWireGraph?
  /// Whether a process is a media server.
  var isServer: (Int32) -> Bool = { _ in false }

  /// Adds the clients of each server that answers.
  func addClients(to facts: inout UseFacts) {
    var graphs: [UInt32: PipeWireGraph?] = [:]
    for index in facts.devices.indices {
      guard let device = facts.devices[index].device else { continue }
      for place in facts.devices[index].holders.indices {
        let process = facts.devices[index].holders[place].process
        guard process.isPipeWire, let user = process.user else { continue }
        let graph = graphs[user] ?? graph(user)
        graphs[user] = .some(graph)
        if let graph {
          facts.devices[index].holders[place].add(graph, of: device, isServer: isServer)
        }
      }
    }
  }
}

extension DeviceHolder {
  /// Adds what a server knows of a device; nothing where it knows no such device.
  mutating func add(
    _ graph: PipeWireGraph, of device: DeviceFacts, isServer: (Int32) -> Bool = { _ in false }
  ) {
    guard let use = graph.use(of: device) else { return }
    clients = use.clients(of: process, isServer: isServer)
    if hold.activity == nil { hold.activity = use.activity }
  }
}
