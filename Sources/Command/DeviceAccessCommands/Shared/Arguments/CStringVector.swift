internal import AccessModel
internal import Glibc

/// A null-terminated vector of C strings, in the format of `argv`.
@safe struct CStringVector: ~Copyable {
  /// The vector, which is valid during the lifetime of this value.
  let pointer: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  /// The strings in their original order, because getopt_long(3) permutes the vector.
  private let strings: [UnsafeMutablePointer<CChar>?]

  /// Copies the bytes that the strings represent, which must not contain NUL.
  init(_ strings: [String]) {
    unsafe self.strings = strings.map { unsafe strdup(ByteText($0).cString) }
    unsafe pointer = .allocate(capacity: strings.count + 1)
    for index in strings.indices {
      unsafe (pointer + index).initialize(to: self.strings[index])
    }
    unsafe (pointer + strings.count).initialize(to: nil)
  }

  deinit {
    for index in unsafe strings.indices { unsafe free(strings[index]) }
    unsafe pointer.deallocate()
  }

  var count: Int32 { Int32(clamping: unsafe strings.count) }

  /// Accesses a string by its index in the original order.
  subscript(index: Int) -> UnsafePointer<CChar>? {
    unsafe strings[index].map { unsafe UnsafePointer($0) }
  }
}
