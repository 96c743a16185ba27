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

  func remove(_ watch: Int32) {
    _ = inotify_rm_watch(descriptor, watch)
  }

  /// Takes everything that waits.
  func drain(_ body: (Notice) -> Void) {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = unsafe buffer.withUnsafeMutableBytes { bytes in
        unsafe read(descriptor, bytes.baseAddress, bytes.count)
      }
      guard count > 0 else { return }
      Self.parse(buffer[..<count], body)
    }
  }

  /// Splits what was read into notices (`struct inotify_event`).
  static func parse(_ bytes: ArraySlice<UInt8>, _ body: (Notice) -> Void) {
    var rest = bytes
    while rest.count >= 16 {
      let length = Int(number(rest.dropFirst(12)))
      guard rest.count >= 16 + length else { return }
      let name = rest.dropFirst(16).prefix(length).prefix { $0 != 0 }
      body(
        Notice(
          watch: Int32(bitPattern: number(rest)), mask: number(rest.dropFirst(4)),
          name: ByteText(bytes: Array(name)).text))
      rest = rest.dropFirst(16 + length)
    }
  }

  /// A number in the byte order of this machine.
  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(as: UInt32.self) }
  }
}
