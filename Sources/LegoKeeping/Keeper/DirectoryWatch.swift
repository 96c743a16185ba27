internal import Dispatch
internal import Glibc
internal import Synchronization

/// Notices that a file in a directory was written or replaced (inotify(7)).
///
/// It waits in the kernel; nothing looks again and again.
final class DirectoryWatch: Sendable {
  /// The path of the directory.
  let directory: String
  private let source: Mutex<(any DispatchSourceRead)?>

  /// Begins to watch.
  ///
  /// - Parameters:
  ///   - directory: The path of the directory.
  ///   - name: The file in it.
  ///   - path: The path of the file, for errors.
  ///   - queue: Where the closure is called.
  ///   - body: Called after each time that the file may have changed.
  /// - Throws: `.unreadable`, when the process or the user has too many descriptors or watches.
  init(
    _ directory: String, name: String, for path: String, queue: DispatchQueue,
    _ body: @escaping @Sendable () -> Void
  ) throws(KeepingError) {
    self.directory = directory
    let number: Int32
    do throws(SystemFailure) {
      number = try SystemFailure.check("inotify_init1") {
        inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
      }
    } catch { throw KeepingError(.unreadable, path, error) }
    let mask = UInt32(IN_MOVED_TO) | UInt32(IN_CLOSE_WRITE)
    if unsafe inotify_add_watch(number, directory, mask) < 0 {
      let failure = SystemFailure.current("inotify_add_watch")
      close(number)
      throw KeepingError(.unreadable, path, failure)
    }
    let new = DispatchSource.makeReadSource(fileDescriptor: number, queue: queue)
    new.setEventHandler { if InotifyEvents.drain(number, naming: name) { body() } }
    new.setCancelHandler { close(number) }
    new.activate()
    source = Mutex(new)
  }

  /// Stops watching.
  func stop() {
    source.withLock { source in
      source?.cancel()
      source = nil
    }
  }

  deinit { stop() }
}
