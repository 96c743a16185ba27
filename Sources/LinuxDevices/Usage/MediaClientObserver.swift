internal import AccessModel
internal import Glibc

/// Asks media servers which programs use devices through them.
///
/// Only a daemon that was seen to have a device open is asked: it runs, so that connecting starts
/// nothing.
struct MediaClientObserver {
  let sockets: PipeWireSocket

  /// Adds the clients of each server that answers.
  func addClients(to facts: inout UseFacts) {
    var graphs: [UInt32: PipeWireGraph?] = [:]
    for index in facts.devices.indices {
      guard let device = facts.devices[index].device else { continue }
      for place in facts.devices[index].holders.indices {
        let process = facts.devices[index].holders[place].process
        guard process.isPipeWire, let user = process.user else { continue }
        let graph = graphs[user] ?? graph(of: user)
        graphs[user] = .some(graph)
        if let graph { facts.devices[index].holders[place].add(graph, of: device) }
      }
    }
  }

  private func graph(of user: UInt32) -> PipeWireGraph? {
    for path in sockets.paths(of: user) {
      if let graph = try? PipeWireDaemon(path).graph() { return graph }
    }
    return nil
  }
}

extension HoldingProcess {
  /// Whether it is the daemon of PipeWire itself.
  fileprivate var isPipeWire: Bool {
    (executable?.split(separator: "/").last.map(String.init) ?? name) == "pipewire"
  }
}

extension DeviceHolder {
  /// Adds what a server knows of a device; nothing where it knows no such device.
  mutating func add(_ graph: PipeWireGraph, of device: DeviceFacts) {
    let nodes = graph.nodes(of: device)
    guard !nodes.isEmpty else { return }
    clients = nodes.flatMap(graph.clients)
    let states = nodes.compactMap { graph.objects[$0]?.isRunning }
    if hold.activity == nil, !states.isEmpty {
      hold.activity = states.contains(true) ? .streaming : .idle
    }
  }
}
