#if canImport(Glibc)
  import Glibc

  /// The raw system call that decisions are compared with.
  enum Kernel {
    /// Returns 0 if the kernel grants access, and -1 otherwise.
    static func faccessat2(_ path: StaticString, mode: Int32) -> Int32 {
      // faccessat(2) without flags is the same system call on every kernel, and glibc adds no
      // overhead.
      path.withUTF8Buffer { bytes in
        unsafe bytes.withMemoryRebound(to: CChar.self) { text in
          guard let start = text.baseAddress else { return -1 }
          return unsafe faccessat(AT_FDCWD, start, mode, 0)
        }
      }
    }
  }
#endif
