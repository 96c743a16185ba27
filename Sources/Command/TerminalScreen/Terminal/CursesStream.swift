internal import CNcurses
internal import Glibc

/// A C stream on a duplicate of a descriptor, which `newterm` requires.
@safe struct CursesStream: ~Copyable {
  let raw: UnsafeMutablePointer<FILE>

  /// Opens a stream.
  ///
  /// - Throws: ``TerminalError/failed(_:)`` if descriptors or memory are missing.
  init(_ descriptor: Int32, mode: String) throws(TerminalError) {
    guard let raw = unsafe cncurses_stream(descriptor, mode) else { throw .failed(errno) }
    unsafe self.raw = raw
  }

  deinit { unsafe fclose(raw) }
}
