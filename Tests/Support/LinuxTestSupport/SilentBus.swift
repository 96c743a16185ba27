/// A socket that accepts connections but never sends data.
package final class SilentBus {
  private let socket: ListeningSocket

  package init() throws { socket = try ListeningSocket() }

  package var address: String { socket.address }
}
