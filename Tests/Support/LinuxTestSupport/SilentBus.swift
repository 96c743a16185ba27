/// A socket that takes connections and never says anything.
package final class SilentBus {
  private let socket: ListeningSocket

  package init() throws { socket = try ListeningSocket() }

  package var address: String { socket.address }
}
