internal import AccessModel
internal import Glibc

/// A file or the standard input, read in pieces within bounds.
struct InputFile: ~Copyable {
  private let descriptor: Int32
  private let isOwned: Bool
  /// Its name for messages: escaped.
  let name: String

  /// Opens a file for reading, or takes standard input for `-`.
  ///
  /// - Throws: ``InputError`` when it cannot be opened.
  init(_ path: String, standardInput: Int32) throws(InputError) {
    if path == "-" {
      descriptor = standardInput
      isOwned = false
      name = "standard input"
      return
    }
    name = Escaped(path).description
    // Without O_NONBLOCK a FIFO waits for its writer, as cat(1) does.
    descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    isOwned = true
    guard descriptor >= 0 else {
      throw InputError("cannot read \(name): \(ErrorNumber.text(errno))")
    }
  }

  deinit {
    if isOwned && descriptor >= 0 { close(descriptor) }
  }

  /// Reads up to `count` more bytes and appends them; `false` at the end.
  ///
  /// - Throws: ``InputError`` when reading fails.
  func read(_ count: Int, appendingTo bytes: inout [UInt8]) throws(InputError) -> Bool {
    let start = bytes.count
    bytes.append(contentsOf: repeatElement(0, count: count))
    while true {
      let got = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe Glibc.read(descriptor, buffer.baseAddress.map { unsafe $0 + start }, count)
      }
      if got < 0 && errno == EINTR { continue }
      let failure = errno
      bytes.removeLast(count - max(0, got))
      guard got >= 0 else {
        throw InputError("cannot read \(name): \(ErrorNumber.text(failure))")
      }
      return got > 0
    }
  }
}
