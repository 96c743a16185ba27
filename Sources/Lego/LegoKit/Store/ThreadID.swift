// The toolchain's modules offer no way to identify the calling thread. This file therefore imports
// one function from the C library, which is available on every platform.
#if canImport(Darwin)
  public import func Darwin.pthread_self
#elseif canImport(Glibc)
  public import func Glibc.pthread_self
#elseif canImport(Musl)
  public import func Musl.pthread_self
#endif

/// Identifies a running thread.
@usableFromInline struct ThreadID: Sendable, Hashable {
  @usableFromInline let handle: UInt

  @inlinable init(_ handle: UInt) {
    self.handle = handle
  }

  /// The calling thread.
  @inlinable static var current: ThreadID {
    #if canImport(Glibc)
      ThreadID(pthread_self())
    #else
      // On other platforms, the handle is a pointer.
      unsafe ThreadID(UInt(bitPattern: pthread_self()))
    #endif
  }
}
