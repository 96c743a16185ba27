#if canImport(Darwin)
  public import func Darwin.pthread_self
#else
  public import func Glibc.pthread_self
#endif

/// Which thread it is, among those that run.
@usableFromInline struct ThreadID: Sendable, Hashable {
  @usableFromInline let handle: UInt

  @inlinable init(_ handle: UInt) {
    self.handle = handle
  }

  /// No thread: a thread's handle is the address of what the C library knows of it.
  @inlinable static var none: ThreadID { ThreadID(0) }

  /// The thread that asks.
  @inlinable static var current: ThreadID {
    #if canImport(Darwin)
      unsafe ThreadID(UInt(bitPattern: pthread_self()))
    #else
      ThreadID(pthread_self())
    #endif
  }
}
