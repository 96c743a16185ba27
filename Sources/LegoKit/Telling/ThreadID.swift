#if canImport(Darwin)
  public import func Darwin.pthread_self
#else
  public import func Glibc.pthread_self
#endif

/// The identity of a running thread.
@usableFromInline struct ThreadID: Sendable, Hashable {
  @usableFromInline let handle: UInt

  @inlinable init(_ handle: UInt) {
    self.handle = handle
  }

  /// A value for no thread: a thread's handle is the address of its data in the C library.
  @inlinable static var none: ThreadID { ThreadID(0) }

  /// The calling thread.
  @inlinable static var current: ThreadID {
    #if canImport(Darwin)
      unsafe ThreadID(UInt(bitPattern: pthread_self()))
    #else
      ThreadID(pthread_self())
    #endif
  }
}
