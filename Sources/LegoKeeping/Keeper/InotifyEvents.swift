internal import Glibc

/// The notices that wait at a descriptor of inotify(7).
enum InotifyEvents {
  /// Takes all notices.
  ///
  /// - Parameters:
  ///   - descriptor: The descriptor, which does not block.
  ///   - name: A file in the directory that is watched.
  /// - Returns: Whether one is about the file, or some were lost.
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
    // struct inotify_event: watch, mask, cookie, length of the name, and the name with zeros.
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
