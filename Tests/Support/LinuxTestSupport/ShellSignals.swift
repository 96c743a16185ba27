package import Glibc

/// The signals that a shell gives to a program: none blocked, and none ignored.
///
/// The threads of a pool block most of them, and who runs the tests in the background of a script has
/// them ignore SIGINT; a program inherits both.
package enum ShellSignals {
  /// Calls a closure with the attributes of posix_spawn(3) that give them.
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
