internal import AccessModel
internal import CLinux
internal import Glibc

/// Does something once, some time after it was started.
final class Alarm: Sendable {
  private let source: DescriptorSource
  private let registration: WatchRegistration

  /// A timer that is not started.
  ///
  /// - Throws: `EMFILE`, and what a filter of system calls answers.
  static func descriptor() throws(Errno) -> OwnedDescriptor {
    try OwnedDescriptor(negated: clinux_alarm())
  }

  /// Makes one that is not started.
  ///
  /// - Parameter body: What to do on the event loop's thread; it returns after how many milliseconds to
  ///   do it once more, or `nil`.
  /// - Throws: `EMFILE`, and what a filter of system calls answers.
  init(_ body: @escaping @Sendable () -> Int32?) throws(Errno) {
    source = DescriptorSource(
      try Self.descriptor(), interest: CLINUX_READABLE
    ) { descriptor, _ in
      var count: UInt64 = 0
      _ = unsafe read(descriptor, &count, 8)
      if let delay = body() { clinux_set_alarm(descriptor, delay) }
      return true
    }
    registration = try EventLoop.shared.watch(source)
  }

  /// Begins anew.
  ///
  /// - Parameter delay: After how many milliseconds to do it.
  func start(after delay: Int32) { clinux_set_alarm(source.descriptor, delay) }

  func end() { registration.cancel() }
}
