internal import Dispatch
internal import Glibc
internal import Synchronization

/// Watches a directory for changes to one of its files (inotify(7)).
///
/// The kernel sends an event for each change, so the directory is not polled.
final class DirectoryWatch: Sendable {
  /// The path of the directory.
  let directory: String
  private let source: Mutex<(any DispatchSourceRead)?>

  /// Starts watching a file.
  ///
  /// - Parameters:
  ///   - directory: The path of the directory.
  ///   - name: The name of the file in the directory.
  ///   - path: The path of the file, for error messages.
  ///   - queue: The queue on which the closure is called.
  ///   - body: Called each time the file may have changed.
  /// - Throws: `.unreadable` if the directory cannot be watched, for example because the user has
  ///   too many watches.
  init(
    _ directory: String, name: String, for path: String, queue: DispatchQueue,
    _ body: @escaping @Sendable () -> Void
  ) throws(KeepingError) {
    self.directory = directory
    let number: Int32
    do throws(SystemCallError) {
      number = try SystemCallError.check("inotify_init1") {
        inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
      }
    } catch { throw KeepingError(.unreadable, path, error) }
    let mask = UInt32(IN_MOVED_TO) | UInt32(IN_CLOSE_WRITE)
    if unsafe inotify_add_watch(number, directory, mask) < 0 {
      let failure = SystemCallError.current("inotify_add_watch")
      close(number)
      throw KeepingError(.unreadable, path, failure)
    }
    let new = DispatchSource.makeReadSource(fileDescriptor: number, queue: queue)
    new.setEventHandler { if InotifyReader.drain(number, naming: name) { body() } }
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

/// Reads events from an inotify(7) descriptor.
enum InotifyReader {
  /// Reads all pending events.
  ///
  /// - Parameters:
  ///   - descriptor: The descriptor, which must be nonblocking.
  ///   - name: The name of a file in the watched directory.
  /// - Returns: `true` if an event names the file or events were lost; otherwise, `false`.
  static func drain(_ descriptor: Int32, naming name: String) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 8_192)
    var isNamed = false
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes { bytes in
        unsafe read(descriptor, bytes.baseAddress, bytes.count)
      }
      guard count > 0 else { return isNamed }
      isNamed = isNamed || holds(buffer[..<count], name)
    }
  }

  private static func holds(_ bytes: ArraySlice<UInt8>, _ name: String) -> Bool {
    // struct inotify_event consists of the watch, the mask, the cookie, the length of the name, and
    // the name padded with zeros.
    var rest = bytes
    while rest.count >= 16 {
      let mask = number(rest.dropFirst(4))
      let length = Int(number(rest.dropFirst(12)))
      guard rest.count >= 16 + length else { return true }
      let found = rest.dropFirst(16).prefix(length).prefix { $0 != 0 }
      if mask & UInt32(IN_Q_OVERFLOW) != 0 || found.elementsEqual(name.utf8) { return true }
      rest = rest.dropFirst(16 + length)
    }
    return false
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(as: UInt32.self) }
  }
}
