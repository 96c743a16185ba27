package import AccessModel
internal import CLinux
internal import Glibc
internal import Synchronization

/// Detects unresponsive filesystems that another machine or a program serves.
///
/// A system call on such a filesystem takes as long as its server does. In the worst case, no
/// signal ends the call or its process. A child process therefore asks first. While a child is
/// waiting, callers do not access that filesystem. If a filesystem stops responding right after it
/// responded, a caller still waits.
package final class RemoteFilesystems: Sendable {
  package static let shared = RemoteFilesystems()

  /// A child process that waits for an answer.
  struct Child: Sendable {
    var process: Int32
    /// The socket that ends the child when it is closed, if the kernel lets the child end.
    ///
    /// It is closed no later than this process ends.
    var socket: Int32
  }

  /// The operations of the operating system.
  struct System: Sendable {
    /// Asks for the attributes of the root of a filesystem.
    ///
    /// Returns the child if it is still waiting after `patience` milliseconds. Returns `nil` if the
    /// attributes arrived or if the question could not be asked.
    var ask: @Sendable (_ path: String, _ patience: Int32) -> Child? = { path, patience in
      var child = Child(process: 0, socket: -1)
      let result = unsafe clinux_ask_filesystem(
        ByteText(path).cString, patience, &child.process, &child.socket)
      return Errno(negated: result) == .timedOut ? child : nil
    }
    /// Returns whether a child has ended, and removes one that has.
    var hasEnded: @Sendable (Int32) -> Bool = { clinux_has_ended($0) }
    /// Closes the socket of a child.
    var close: @Sendable (Int32) -> Void = { _ = Glibc.close($0) }
    var now: @Sendable () -> ContinuousClock.Instant = { .now }
  }

  /// The state of waiting for one filesystem.
  private struct Wait {
    var child: Child
    /// The time of the last question.
    var asked: ContinuousClock.Instant
    /// The pause before the next question, because the response to this one may never arrive.
    var pause = RemoteFilesystems.firstPause
  }

  private struct State {
    /// The waits, by mount point.
    var waits: [String: Wait] = [:]
    /// The children that are no longer needed and might still exist.
    var left: [Int32] = []
    /// The calls that inspect files, by mount point.
    var calls: [String: TimeLimitedCalls] = [:]
  }

  private let state = Mutex(State())
  private let system: System

  /// The time to wait for an answer, in milliseconds.
  private static let patience: Int32 = 3000
  /// The time to wait if the last question was not answered, in milliseconds.
  private static let lessPatience: Int32 = 100
  private static let firstPause = Duration.seconds(5)
  private static let longestPause = Duration.seconds(300)
  /// The maximum number of children that have not ended.
  private static let mostLeft = 16

  init(_ system: System = System()) { self.system = system }

  /// Returns whether a filesystem responds.
  ///
  /// The call waits for at most three seconds. If the filesystem did not respond before, the call
  /// waits for a tenth of a second at most, and only from time to time.
  ///
  /// - Parameter point: The mount point, as the calling thread reaches it.
  /// - Returns: `true` if the filesystem responds.
  func answers(at point: String) -> Bool {
    let patience = state.withLock { state -> Int32? in
      reap(point, &state)
      guard let wait = state.waits[point] else { return Self.patience }
      let now = system.now()
      guard wait.asked.duration(to: now) >= wait.pause,
        state.left.count < Self.mostLeft
      else { return nil }
      state.waits[point]?.asked = now
      state.waits[point]?.pause = min(wait.pause * 2, Self.longestPause)
      return Self.lessPatience
    }
    // Two threads may ask at the same time; each waits for its own response.
    return patience.map { ask(point, patience: $0) } ?? false
  }

  private func ask(_ point: String, patience: Int32) -> Bool {
    let child = system.ask(point, patience)
    return state.withLock { state in
      // The new child replaces the previous one, if any.
      if let before = state.waits[point]?.child {
        system.close(before.socket)
        state.left.append(before.process)
      }
      guard let child else {
        state.waits[point] = nil
        return true
      }
      state.waits[point, default: Wait(child: child, asked: system.now())].child = child
      return false
    }
  }

  /// Inspects files on a separate thread, because their filesystem may stop responding.
  ///
  /// - Parameters:
  ///   - point: The mount point, as the calling thread reaches it.
  ///   - body: Inspects the files, after it checks whether the filesystem responds.
  /// - Returns: The result of `body`. If the first call does not return in time, `body` runs again,
  ///   and the filesystem is then known not to respond.
  func scan<Value: Sendable>(at point: String, _ body: @escaping @Sendable () -> Value) -> Value {
    let calls = state.withLock { state in
      let calls = state.calls[point] ?? TimeLimitedCalls(waiting: .seconds(4))
      state.calls[point] = calls
      return calls
    }
    if let value = try? calls.run({ () throws(Errno) in body() }) { return value }
    // The call may hang only because the response was lost, so the filesystem is asked once.
    if state.withLock({ $0.waits[point] == nil }) { _ = ask(point, patience: Self.lessPatience) }
    return body()
  }

  /// Returns whether a path is on a filesystem that is known not to respond, without waiting.
  package func isSilent(at path: String) -> Bool {
    state.withLock { state in
      state.waits.keys.contains { point in
        guard path.utf8.starts(with: point.utf8) else { return false }
        let rest = path.utf8.dropFirst(point.utf8.count)
        return rest.isEmpty || rest.first == UInt8(ascii: "/")
      }
    }
  }

  /// Returns a function that reports whether the filesystem of a path does not respond.
  ///
  /// The function asks only filesystems that might not respond.
  ///
  /// - Parameter proc: The path of procfs. The function reads the mount table there for the first
  ///   path.
  /// - Returns: The function.
  package func silence(proc: String) -> (_ path: String) -> Bool {
    var mounts: MountTable?
    return { path in
      var ignored: [Unobserved] = []
      let table = mounts ?? MountTable.read("\(proc)/thread-self/mountinfo", &ignored)
      mounts = table
      return table.distantPoint(of: path).map { !self.answers(at: $0) } ?? false
    }
  }

  /// Removes the children that have ended, including one that received its response late.
  private func reap(_ point: String, _ state: inout State) {
    state.left.removeAll(where: system.hasEnded)
    if let child = state.waits[point]?.child, system.hasEnded(child.process) {
      system.close(child.socket)
      state.waits[point] = nil
    }
  }
}

extension Errno {
  /// The reason reported if this package or the kernel finds that a filesystem does not respond.
  package static let silenceReason = "its filesystem does not respond"
}
