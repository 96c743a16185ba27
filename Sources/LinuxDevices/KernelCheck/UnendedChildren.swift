internal import CLinux
internal import Glibc
internal import Synchronization

/// Children that were told to end and have not.
///
/// The kernel waits in such a child for a filesystem that does not answer, which may be a program of the
/// user who is asked about, or this process may not end what that user has stopped.
enum UnendedChildren {
  private static let processes = Mutex<[UInt32: [pid_t]]>([:])

  /// As many of one user are left at most: a user must be able to hold up no others.
  private static let most = 16

  /// - Parameter user: Whose credentials a new child would take.
  /// - Returns: Whether one more may be started.
  static func leavesRoom(to user: UInt32) -> Bool {
    processes.withLock { processes in
      for user in processes.keys {
        processes[user]?.removeAll { clinux_has_ended($0) }
        if processes[user]?.isEmpty == true { processes[user] = nil }
      }
      return processes[user, default: []].count < most
    }
  }

  /// Takes one over.
  ///
  /// - Parameters:
  ///   - process: Its ID.
  ///   - user: Whose credentials it has.
  static func add(_ process: pid_t, of user: UInt32) {
    processes.withLock { $0[user, default: []].append(process) }
  }
}
