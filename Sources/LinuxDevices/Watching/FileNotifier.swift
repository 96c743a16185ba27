internal import AccessModel
internal import CLinux
internal import Glibc

/// Tells what happens to files (inotify(7)).
///
/// One descriptor serves any number of files, each known by a number.
struct FileNotifier {
  /// One thing that happened.
  struct Notice: Hashable, Sendable {
    /// The number that ``add(_:_:)`` gave; -1 for an overflow, which concerns all.
    var watch: Int32
    /// What happened: the constants `IN_…`.
    var mask: UInt32
    /// The name in the directory; empty when it is about the file itself.
    var name: String
  }

  let descriptor: Int32

  /// Makes the descriptor, which does not block.
  ///
  /// - Throws: `EMFILE` when the user has too many (`fs.inotify.max_user_instances`), or the
  ///   process too many descriptors.
  static func open() throws(Errno) -> OwnedDescriptor {
    try OwnedDescriptor(inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK)))
  }

  /// Watches a file, without following a symbolic link.
  ///
  /// - Throws: `EACCES` for a file that may not be read, `ENOSPC` when the user watches too many
  ///   (`fs.inotify.max_user_watches`), and what keeps it from being found.
  /// - Returns: Its number, the same one for the same file.
  func add(_ path: String, _ mask: UInt32) throws(Errno) -> Int32 {
    try Errno.check(
      unsafe inotify_add_watch(
        descriptor, ByteText(path).cString, mask | UInt32(IN_DONT_FOLLOW) | UInt32(IN_MASK_ADD)))
  }

  /// Why a file is not watched, with the limit that it meets.
  static func reason(_ error: Errno) -> String {
    switch error {
    case .noSpace: "the limit of inotify watches is reached; see fs.inotify.max_user_watches"
    // A descriptor was left, or nothing would have been looked at.
    case .tooManyFiles:
      "the limit of inotify instances is reached; see fs.inotify.max_user_instances"
    default: error.reason
    }
  }

  func remove(_ watch: Int32) {
    _ = inotify_rm_watch(descriptor, watch)
  }

  /// The size of an event with the longest name.
  private static let largestNotice = 16 + 256

  /// How much of what waits is taken at once.
  enum Share {
    /// As much as leaves a thread its time for others; the kernel goes on to tell of the rest.
    case part
    /// All that waits at the beginning.
    case all
  }

  /// How many bytes are read for ``Share/part``: others may make events faster than they are read.
  private static let most = 1 << 16

  /// Takes what waits.
  ///
  /// - Parameters:
  ///   - share: How much of it; it never goes on for as long as more is coming.
  ///   - matters: Whether something under a number and a name matters, which takes less time than a notice.
  ///   - body: Takes what matters, and all that is not about a name.
  func drain(
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
          // What waits is told again at once.
          if count < 0, ![.tryAgain, .interrupted].contains(Errno.current) { FailurePause.wait() }
          return
        }
        unsafe Self.parse(UnsafeRawBufferPointer(rebasing: buffer[..<count]), matters, body)
        // Another one would have fitted.
        if size - count >= Self.largestNotice { return }
        left = share == .all && isFirst ? waitingBytes : left - count
        isFirst = false
        if left <= 0 { return }
      }
    }
  }

  /// How many bytes can be read.
  private var waitingBytes: Int {
    var count: Int32 = 0
    _ = unsafe ioctl(descriptor, UInt(FIONREAD), &count)
    return Int(count)
  }

  /// Splits what was read into notices (`struct inotify_event`).
  private static func parse(
    _ bytes: UnsafeRawBufferPointer, _ matters: (_ watch: Int32, _ name: Span<UInt8>) -> Bool,
    _ body: (Notice) -> Void
  ) {
    var start = 0
    while bytes.count - start >= 16 {
      // In the byte order of this machine.
      let watch = unsafe bytes.loadUnaligned(fromByteOffset: start, as: Int32.self)
      let mask = unsafe bytes.loadUnaligned(fromByteOffset: start + 4, as: UInt32.self)
      let length = unsafe bytes.loadUnaligned(fromByteOffset: start + 12, as: UInt32.self)
      let end = start + 16 + Int(length)
      guard end <= bytes.count else { return }
      // Zeros follow the name.
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
