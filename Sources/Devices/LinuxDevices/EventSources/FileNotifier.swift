package import AccessModel
internal import CLinux
internal import Glibc

/// Reports file events (inotify(7)).
///
/// One descriptor watches any number of files. Each file has a watch number.
package struct FileNotifier {
  /// A file event.
  package struct Notice: Hashable, Sendable {
    /// The watch number that ``add(_:_:)`` returned; -1 for an overflow, which affects all files.
    package var watch: Int32
    /// The `IN_…` constants that describe the event.
    package var mask: UInt32
    /// The name of the entry in a directory; empty if the event is about the watched file itself.
    package var name: String
  }

  let descriptor: Int32

  init(descriptor: Int32) { self.descriptor = descriptor }

  /// Uses the descriptor of a source that ``source(_:)`` created.
  package init(of source: DescriptorSource) { self.init(descriptor: source.descriptor) }

  /// Returns a source that calls a closure when events are pending.
  ///
  /// - Parameter body: Reads the events, and returns whether to continue watching.
  /// - Throws: The errors of ``open()``.
  /// - Returns: The source, which does not watch any file yet.
  package static func source(
    _ body: @escaping @Sendable (FileNotifier) -> Bool
  ) throws(Errno) -> DescriptorSource {
    DescriptorSource(try open(), interest: CLINUX_READABLE) { descriptor, _ in
      body(FileNotifier(descriptor: descriptor))
    }
  }

  /// Creates a nonblocking descriptor.
  ///
  /// - Throws: `EMFILE` if the user has too many instances (`fs.inotify.max_user_instances`) or the
  ///   process has too many descriptors.
  static func open() throws(Errno) -> OwnedDescriptor {
    try OwnedDescriptor(inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK)))
  }

  /// Watches a file without following a symbolic link.
  ///
  /// - Returns: The watch number, which is the same for every watch on the same file.
  /// - Throws: `EACCES` if this process is not permitted to read the file, `ENOSPC` if the user has
  ///   too many watches (`fs.inotify.max_user_watches`), or an error of the path lookup.
  package func add(_ path: String, _ mask: UInt32) throws(Errno) -> Int32 {
    try Errno.check(
      unsafe inotify_add_watch(
        descriptor, ByteText(path).cString, mask | UInt32(IN_DONT_FOLLOW) | UInt32(IN_MASK_ADD)))
  }

  /// Returns the reason why a file cannot be watched, which includes the limit that was reached.
  package static func reason(_ error: Errno) -> String {
    switch error {
    case .noSpace: "the limit of inotify watches is reached; see fs.inotify.max_user_watches"
    // The process has a free descriptor; otherwise, the previous reads would have failed.
    case .tooManyFiles:
      "the limit of inotify instances is reached; see fs.inotify.max_user_instances"
    default: error.reason
    }
  }

  package func remove(_ watch: Int32) {
    _ = inotify_rm_watch(descriptor, watch)
  }

  /// The size of an event with the longest name.
  private static let largestNotice = 16 + 256

  /// The amount of pending events to read in one call.
  package enum Share {
    /// A limited part, which leaves time for other work; the kernel reports the rest again.
    case part
    /// All events that are pending at the start.
    case all
  }

  /// The maximum number of bytes to read for ``Share/part``.
  ///
  /// It is limited because other processes may cause events faster than they are read.
  private static let most = 1 << 16

  /// Reads pending events.
  ///
  /// - Parameters:
  ///   - share: The amount to read. The call ends even if new events keep arriving.
  ///   - matters: Returns whether an event with this watch number and name is relevant, before a
  ///     notice is created.
  ///   - body: Called with each relevant event, and with each event that has no name.
  package func drain(
    _ share: Share, where matters: (_ watch: Int32, _ name: Span<UInt8>) -> Bool,
    _ body: (Notice) -> Void
  ) {
    let size = 4096
    unsafe withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) { buffer in
      var left = Self.most
      var isFirst = true
      while true {
        let count = unsafe read(descriptor, buffer.baseAddress, size)
        guard count > 0 else {
          // The kernel would report pending events again immediately.
          if count < 0, ![.tryAgain, .interrupted].contains(Errno.current) { FailurePause.wait() }
          return
        }
        unsafe Self.parse(UnsafeRawBufferPointer(rebasing: buffer[..<count]), matters, body)
        // The buffer had room for another event, so none is pending.
        if size - count >= Self.largestNotice { return }
        left = share == .all && isFirst ? waitingBytes : left - count
        isFirst = false
        if left <= 0 { return }
      }
    }
  }

  /// The number of pending bytes.
  private var waitingBytes: Int {
    var count: Int32 = 0
    _ = unsafe ioctl(descriptor, UInt(FIONREAD), &count)
    return Int(count)
  }

  /// Splits bytes into notices (`struct inotify_event`).
  private static func parse(
    _ bytes: UnsafeRawBufferPointer, _ matters: (_ watch: Int32, _ name: Span<UInt8>) -> Bool,
    _ body: (Notice) -> Void
  ) {
    var start = 0
    while bytes.count - start >= 16 {
      // inotify uses the machine's byte order.
      let watch = unsafe bytes.loadUnaligned(fromByteOffset: start, as: Int32.self)
      let mask = unsafe bytes.loadUnaligned(fromByteOffset: start + 4, as: UInt32.self)
      let length = unsafe bytes.loadUnaligned(fromByteOffset: start + 12, as: UInt32.self)
      let end = start + 16 + Int(length)
      guard end <= bytes.count else { return }
      // The name is padded with zeros.
      let size = unsafe bytes.baseAddress.map { unsafe strnlen($0 + start + 16, Int(length)) } ?? 0
      let name = unsafe UnsafeBufferPointer(
        rebasing: bytes.assumingMemoryBound(to: UInt8.self)[(start + 16)..<(start + 16 + size)])
      if name.isEmpty {
        body(Notice(watch: watch, mask: mask, name: ""))
      } else if unsafe matters(watch, name.span) {
        body(Notice(watch: watch, mask: mask, name: unsafe ByteText(bytes: Array(name)).text))
      }
      start = end
    }
  }
}
