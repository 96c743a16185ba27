internal import AccessModel
internal import CLinux

/// Runs work on a thread of its own, which ends with it.
///
/// The thread starts with the credentials of the calling thread, unlike one of a pool. Nobody
/// waits for it. No signal is delivered to it but those of its own faults.
enum DedicatedThread {
  /// What the thread owns until it has run.
  private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
    }
  }

  /// Starts a thread and returns at once.
  ///
  /// - Throws: `EAGAIN` when no thread can be made; the work is then not done.
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
