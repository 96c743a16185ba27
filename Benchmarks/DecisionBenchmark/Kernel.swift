#if canImport(Glibc)
  import Glibc

  /// The bare system call to compare with.
  enum Kernel {
    /// Asks the kernel: 0 when granted, else -1.
    static func faccessat2(_ path: StaticString, mode: Int32) -> Int32 {
      // faccessat without flags is the one system call on every kernel; glibc adds nothing.
      path.withUTF8Buffer { bytes in
        unsafe bytes.withMemoryRebound(to: CChar.self) { text in
          guard let start = text.baseAddress else { return -1 }
          return unsafe faccessat(AT_FDCWD, start, mode, 0)
        }
      }
    }
  }
#endif
