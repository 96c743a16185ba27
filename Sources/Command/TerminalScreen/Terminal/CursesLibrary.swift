internal import CNcurses
internal import Glibc

/// The functions of ncurses, which is loaded when the first screen is shown.
enum CursesLibrary {
  private static let loaded = load("libncursesw.so.6")

  /// Returns the functions of a library; `nil` if the library or one of them is missing.
  static func load(_ name: String) -> cncurses? {
    guard let functions = unsafe cncurses_load(name) else { return nil }
    return unsafe functions.pointee
  }

  /// Returns the functions, which are named as in ncurses(3).
  ///
  /// - Throws: ``TerminalError/noLibrary`` if the library or one of them is missing.
  static func functions() throws(TerminalError) -> cncurses {
    guard let loaded else { throw .noLibrary }
    return loaded
  }
}

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

/// Processes the strings of terminal capabilities (terminfo(5)).
enum CapabilityText {
  /// Returns the bytes without padding, such as `$<5/>`, which only historical terminals need.
  static func withoutPadding(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var rest = bytes[...]
    while let first = rest.first {
      if first == UInt8(ascii: "$"), rest.dropFirst().first == UInt8(ascii: "<"),
        let end = rest.firstIndex(of: UInt8(ascii: ">"))
      {
        rest = rest[(end + 1)...]
      } else {
        result.append(first)
        rest = rest.dropFirst()
      }
    }
    return result
  }
}
