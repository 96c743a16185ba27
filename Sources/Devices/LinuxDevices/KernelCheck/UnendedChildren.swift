internal import CLinux
internal import Glibc
internal import Synchronization

/// The children that were asked to end but still exist.
///
/// Such a child may wait in the kernel for an unresponsive filesystem, which can be a program of
/// the same user. Or the user stopped the child, and this process may not kill it.
enum UnendedChildren {
  private static let processes = Mutex<[UInt32: [pid_t]]>([:])

  /// The maximum number of children per user, so that no user can block checks for other users.
  private static let most = 16

  /// Returns whether another child may be started with a user's credentials.
  ///
  /// - Parameter user: The user.
  /// - Returns: `true` if fewer than the maximum number of the user's children still exist.
  static func leavesRoom(to user: UInt32) -> Bool {
    processes.withLock { processes in
      for user in processes.keys {
        processes[user]?.removeAll { clinux_has_ended($0) }
        if processes[user]?.isEmpty == true { processes[user] = nil }
      }
      return processes[user, default: []].count < most
    }
  }

  /// Adds a child that has not ended.
  ///
  /// - Parameters:
  ///   - process: The process ID.
  ///   - user: The user whose credentials the child has.
  static func add(_ process: pid_t, of user: UInt32) {
    processes.withLock { $0[user, default: []].append(process) }
  }
}
