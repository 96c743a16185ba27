internal import Synchronization

/// The nodes that were added since a watch of an in-memory machine last asked.
final class InMemoryArrivals: Sendable {
  private let nodes = Mutex<Set<String>>([])

  func add(_ nodes: [String]) { self.nodes.withLock { $0.formUnion(nodes) } }

  func take() -> Set<String> {
    nodes.withLock { nodes in
      defer { nodes = [] }
      return nodes
    }
  }
}
