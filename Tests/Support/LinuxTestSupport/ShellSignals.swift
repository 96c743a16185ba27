package import Glibc

/// The signal settings that a shell gives to a program: no signal is blocked or ignored.
///
/// The threads of a pool block most signals, and a script that runs the tests in the background
/// makes them ignore SIGINT. A program would inherit both.
package enum ShellSignals {
  /// Calls a closure with attributes for posix_spawn(3) that apply these settings.
  package static func withAttributes<Result>(
    _ body: (UnsafePointer<posix_spawnattr_t>) throws -> Result
  ) rethrows -> Result {
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    unsafe sigfillset(&signals)
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    unsafe posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    return try unsafe body(&attributes)
  }
}
