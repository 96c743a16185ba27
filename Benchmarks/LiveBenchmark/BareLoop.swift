import Glibc

/// The baseline: a thread that only waits for the events of a directory.
enum BareLoop {
  /// Starts the thread, which runs until the process ends.
  ///
  /// - Parameters:
  ///   - directory: The directory.
  ///   - seen: Records the time of each read that returns events.
  /// - Returns: `true` if the thread was started.
  static func start(watching directory: String, _ seen: Moments) -> Bool {
    let descriptor = inotify_init1(Int32(IN_CLOEXEC))
    guard descriptor >= 0,
      unsafe inotify_add_watch(descriptor, directory, UInt32(IN_CREATE | IN_DELETE)) >= 0
    else { return false }
    var thread = pthread_t()
    let state = unsafe Unmanaged.passRetained(State(descriptor, seen)).toOpaque()
    let result = unsafe pthread_create(
      &thread, nil,
      { pointer in
        guard let pointer = unsafe pointer else { return nil }
        let state = unsafe Unmanaged<State>.fromOpaque(pointer).takeRetainedValue()
        var buffer = [UInt8](repeating: 0, count: 4096)
        while unsafe read(state.descriptor, &buffer, buffer.count) > 0 { state.seen.note() }
        return nil
      }, state)
    return result == 0
  }

  private final class State: Sendable {
    let descriptor: Int32
    let seen: Moments

    init(_ descriptor: Int32, _ seen: Moments) {
      self.descriptor = descriptor
      self.seen = seen
    }
  }
}
