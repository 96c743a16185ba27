internal import CNcurses
internal import Glibc

/// A stream of the C library on a copy of a descriptor, as `newterm` wants it.
@safe struct CursesStream: ~Copyable {
  let raw: UnsafeMutablePointer<FILE>

  /// - Throws: ``TerminalError/failed(_:)`` without descriptors or memory.
  init(_ descriptor: Int32, mode: String) throws(TerminalError) {
    guard let raw = unsafe cncurses_stream(descriptor, mode) else { throw .failed(errno) }
    unsafe self.raw = raw
  }

  deinit { unsafe fclose(raw) }
}
