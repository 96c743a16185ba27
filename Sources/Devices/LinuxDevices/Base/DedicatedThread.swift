internal import AccessModel
internal import CLinux

/// Runs work on a new thread, which ends when the work is done.
///
/// Unlike a thread of a pool, the thread starts with the credentials of the calling thread. It is
/// detached. All signals are blocked on it, except those for its own faults.
enum DedicatedThread {
  /// The closure that the thread owns until it has run.
  private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
    }
  }

  /// Starts a thread and returns at once.
  ///
  /// - Throws: `EAGAIN` if no thread can be created, in which case the work does not run.
  static func run(_ body: @escaping @Sendable () -> Void) throws(Errno) {
    let work = unsafe Unmanaged.passRetained(Work(body))
    let result = unsafe clinux_start_thread(
      { context in
        guard let context = unsafe context else { return nil }
        unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().body()
        return nil
      }, work.toOpaque())
    guard result == 0 else {
      unsafe work.release()
      throw Errno(negated: result)
    }
  }
}
