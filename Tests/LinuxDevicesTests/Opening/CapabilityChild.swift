import AccessModel
import CCapability
import Glibc
import LinuxTestSupport

@testable import LinuxDevices

/// A process of user 4242 with chosen permitted capabilities, and files that it may not open.
enum CapabilityChild {
  /// Turns the calling process into such a process permanently; only for exit tests.
  ///
  /// `permitted` has the format of cap_from_text(3). Capabilities belong to a thread: the calling
  /// thread keeps the permitted ones, and the other threads of the process lose all of theirs.
  static func prepare(permitted: String) throws {
    try PrivateMachine.separateMounts()
    try PrivateMachine.mountTemporary(at: "/mnt")
    try SystemError.check(unsafe mkdir("/mnt/closed", 0o700), "mkdir")
    try PrivateMachine.makeDevice("/mnt/closed/null", major: 1, minor: 3, mode: 0o600)
    for path in ["/mnt/secret", "/mnt/closed/secret"] {
      close(unsafe open(path, O_CREAT | O_WRONLY, 0o600))
    }
    // PR_SET_KEEPCAPS: the permitted set survives the change of user.
    try SystemError.check(cap_prctl(8, 1, 0, 0, 0, 0), "prctl")
    try PrivateMachine.become(user: 4242, group: 4242)
    let state = unsafe cap_from_text(permitted)
    defer { unsafe cap_free(UnsafeMutableRawPointer(state)) }
    try SystemError.check(unsafe cap_set_proc(state), "cap_set_proc")
  }

  /// Returns whether the plain system call is refused with the calling thread's own credentials.
  static func isRefused(_ path: String) -> Bool {
    unsafe Glibc.open(path, O_RDWR | O_CLOEXEC) == -1 && errno == EACCES
  }

  /// Returns the effective capabilities of every thread of this process except the first.
  static func effectiveSetsOfAllThreads() throws -> [CapabilitySet] {
    var sets: [CapabilitySet] = []
    guard let directory = unsafe opendir("/proc/self/task") else {
      throw SystemError(call: "opendir", errno: errno)
    }
    defer { unsafe closedir(directory) }
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) {
        unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      // The first thread waits in dispatch_main(), which counts as exiting: glibc does not change
      // its user with the other threads. Another thread may have ended in the meantime.
      guard !name.hasPrefix("."), name != "\(getpid())",
        let file = try? BoundedFile.read("/proc/self/task/\(name)/status", limit: 1 << 16),
        let set = ThreadStatus(parsing: file.bytes).effective
      else { continue }
      sets.append(set)
    }
    return sets
  }
}
