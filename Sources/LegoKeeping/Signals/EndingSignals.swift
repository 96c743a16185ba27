internal import Glibc
public import LegoKit

/// The signals that ask a program to end: SIGTERM, as from systemd, and SIGINT, as from Ctrl-C.
public enum EndingSignals {
  /// Closes what has to be closed when a signal comes, and then ends the program as the signal does.
  ///
  /// The parent sees a program that was killed by the signal, also if `main` returns or the program
  /// calls `exit` meanwhile. What was printed until the closure returns is written; if a task still has
  /// to print something, await it in the closure. A second signal ends the program at once. A signal
  /// that the program was started to ignore (nohup(1), or `&` in a script) stays ignored. It may be
  /// called on any thread; while one token is in force, a second call is reported and does nothing.
  ///
  /// - Parameter closing: Closes stores, in the order that they need.
  /// - Returns: A token: cancelled or released, it gives the signals back what they did.
  public static func close(_ closing: @escaping @Sendable () async -> Void) -> AnyCancellable {
    let watch = SignalWatch([SIGTERM, SIGINT], closing)
    return AnyCancellable { watch.stop() }
  }
}

extension Lego {
  /// Closes the store when the program gets SIGTERM or SIGINT, and then ends the program.
  ///
  /// ```swift
  /// let ending = lego.closeOnSignals()
  /// ```
  ///
  /// - Returns: A token, as that of ``EndingSignals/close(_:)``. It does not keep the store alive.
  public func closeOnSignals() -> AnyCancellable {
    EndingSignals.close { [weak self] in await self?.close() }
  }
}
