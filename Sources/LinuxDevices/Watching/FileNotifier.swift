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
    case .noSpace: "no watch is left: see fs.inotify.max_user_watches"
    // A descriptor was left, or nothing would have been looked at.
    case .tooManyFiles: "the user has too many watchers: see fs.inotify.max_user_instances"
    default: error.reason
    }
  }

  func remove(_ watch: Int32) {
    _ = inotify_rm_watch(descriptor, watch)
  }

  /// The size of an event with the longest name.
  private static let largestNotice = 16 + 256

  /// Takes everything that waits.
  func drain(_ body: (Notice) -> Void) {
    let size = 4096
    unsafe withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) { buffer in
      while true {
        let count = unsafe read(descriptor, buffer.baseAddress, size)
        guard count > 0 else {
          // What waits is told again at once.
          if count < 0, ![.tryAgain, .interrupted].contains(Errno.current) { FailurePause.wait() }
          return
        }
        unsafe Self.parse(UnsafeRawBufferPointer(rebasing: buffer[..<count]), body)
        // Another one would have fitted.
        if size - count >= Self.largestNotice { return }
      }
    }
  }

  /// Splits what was read into notices (`struct inotify_event`).
  static func parse(_ bytes: ArraySlice<UInt8>, _ body: (Notice) -> Void) {
    unsafe bytes.withUnsafeBytes { buffer in unsafe parse(buffer, body) }
  }

  private static func parse(_ bytes: UnsafeRawBufferPointer, _ body: (Notice) -> Void) {
    var start = 0
    while bytes.count - start >= 16 {
      // In the byte order of this machine.
      let mask = unsafe bytes.loadUnaligned(fromByteOffset: start + 4, as: UInt32.self)
      let length = unsafe bytes.loadUnaligned(fromByteOffset: start + 12, as: UInt32.self)
      let end = start + 16 + Int(length)
      guard end <= bytes.count else { return }
      let name = unsafe Array(bytes[(start + 16)..<end].prefix { $0 != 0 })
      body(
        Notice(
          watch: unsafe bytes.loadUnaligned(fromByteOffset: start, as: Int32.self), mask: mask,
          name: name.isEmpty ? "" : ByteText(bytes: name).text))
      start = end
    }
  }
}
