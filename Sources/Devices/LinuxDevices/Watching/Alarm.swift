internal import AccessModel
internal import CLinux
internal import Glibc

/// A timer on the event loop that can be started repeatedly.
final class Alarm: Sendable {
  private let source: DescriptorSource
  private let registration: WatchRegistration

  /// Creates the descriptor of an inactive timer.
  ///
  /// - Throws: `EMFILE` if no descriptor is available, or the error that a seccomp filter returns.
  static func descriptor() throws(Errno) -> OwnedDescriptor {
    try OwnedDescriptor(negated: clinux_alarm())
  }

  /// Creates an inactive timer.
  ///
  /// - Parameter body: Called on the event loop's thread when the timer fires. It returns the delay
  ///   in milliseconds until the next call, or `nil` for no further call.
  /// - Throws: `EMFILE` if no descriptor is available, the error that a seccomp filter returns, or
  ///   an error thrown by ``EventLoop/watch(_:)``.
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

  /// Starts the timer, or restarts it.
  ///
  /// - Parameter delay: The delay in milliseconds.
  func start(after delay: Int32) { clinux_set_alarm(source.descriptor, delay) }

  func end() { registration.cancel() }
}
