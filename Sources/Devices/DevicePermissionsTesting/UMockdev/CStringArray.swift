#if UMockdev
  internal import Glibc

  /// A null-terminated array of C strings, in which names and values alternate.
  @safe struct CStringArray: ~Copyable {
    private let strings: [UnsafeMutablePointer<CChar>?]

    init(_ pairs: [String: String]) {
      let words = pairs.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }
      unsafe strings = words.map { unsafe strdup($0) } + [nil]
    }

    deinit {
      // Not a for-in loop: swift-format breaks `for unsafe … in`.
      var index = 0
      while index < (unsafe strings.count) {
        unsafe free(strings[index])
        index += 1
      }
    }

    borrowing func withPointer<Result>(
      _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
      var strings = unsafe strings
      return unsafe strings.withUnsafeMutableBufferPointer { unsafe body($0.baseAddress!) }
    }
  }
#endif
