internal import CLinux

/// A thread that waits for the events of all watchers of the process, in place of one of their own.
///
/// A program whose tasks run on one thread spares each event the way from another thread to it.
/// Events are handled while that thread waits, and only then. Watchers that began before go on with
/// their own thread, and so do all when this value goes away.
package final class EventHost: Sendable {
  private let loop: EventLoop

  /// Makes the host; one for each process.
  ///
  /// - Parameter begin: Is called when there is something to wait for; it must not wait.
  package convenience init(_ begin: @escaping @Sendable () -> Void) {
    self.init(of: .shared, begin)
  }

  init(of loop: EventLoop, _ begin: @escaping @Sendable () -> Void) {
    self.loop = loop
    loop.setHost(begin)
  }

  deinit { loop.endHost() }

  /// Whether there is something to wait for.
  ///
  /// Only the thread that waits asks.
  package var isNeeded: Bool { loop.isHosted }

  /// Room for what waits find.
  package struct Room: Sendable {
    fileprivate var ready = EventPoll.room

    package init() {}
  }

  /// Waits until something has happened, or ``wake()`` is called, and handles it.
  ///
  /// - Parameters:
  ///   - room: Room for it.
  ///   - woken: Is called before it is handled.
  package func wait(_ room: inout Room, _ woken: () -> Void) { loop.turn(&room.ready, woken) }

  /// Ends the wait that goes on, or the next one.
  package func wake() { loop.wake() }
}
