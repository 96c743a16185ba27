internal import AccessModel
internal import Glibc

/// A vector of C strings that ends with a null pointer, as `argv` does.
@safe struct CStringVector: ~Copyable {
  /// Valid as long as this value lives.
  let pointer: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  /// The strings in their first order: getopt_long(3) moves the pointers about.
  private let strings: [UnsafeMutablePointer<CChar>?]

  /// Copies the bytes that the strings stand for, which must not hold NUL.
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

  /// One of the strings, in the order in which they were given.
  subscript(index: Int) -> UnsafePointer<CChar>? {
    unsafe strings[index].map { unsafe UnsafePointer($0) }
  }
}
