internal import CLinux

/// Handles the events of all watchers in the process on one of the program's own threads.
///
/// Without a host, a separate thread handles them. If a program's tasks run on a single thread,
/// hosting avoids a thread switch for each event. Events are handled only while the thread is in
/// ``wait(_:_:)``. If the separate thread is already running when the host is created, it keeps its
/// watchers until the last one ends. When the host is deallocated, a separate thread takes over.
package final class EventHost: Sendable {
  private let loop: EventLoop

  /// Creates the host; a process can have only one.
  ///
  /// - Parameter begin: Called when the host must start to wait for events; it must not block.
  package convenience init(_ begin: @escaping @Sendable () -> Void) {
    self.init(of: .shared, begin)
  }

  init(of loop: EventLoop, _ begin: @escaping @Sendable () -> Void) {
    self.loop = loop
    loop.setHost(begin)
  }

  deinit { loop.endHost() }

  /// A Boolean value that indicates whether any events are being waited for.
  ///
  /// Access it only on the thread that waits.
  package var isNeeded: Bool { loop.isHosted }

  /// A buffer for the events that a wait reports.
  package struct Room: Sendable {
    fileprivate var ready = EventPoll.room

    package init() {}
  }

  /// Waits until an event occurs or ``wake()`` is called, and handles the events.
  ///
  /// - Parameters:
  ///   - room: The buffer for the events.
  ///   - woken: Called after the wait, before the events are handled.
  package func wait(_ room: inout Room, _ woken: () -> Void) { loop.turn(&room.ready, woken) }

  /// Ends the current wait, or the next one if none is in progress.
  package func wake() { loop.wake() }
}
