internal import AccessModel
internal import CLinux
internal import Glibc
internal import Synchronization

/// Finds out which filesystems do not answer that another machine serves, or a program.
///
/// A system call at a file there takes as long as the server does, and in the worst case no signal ends
/// it, nor the process that it belongs to. So a child process asks first. While one waits, nobody looks
/// at that filesystem. Where it stops to answer right after it did, somebody still waits.
final class DistantFilesystems: Sendable {
  static let shared = DistantFilesystems()

  /// A child process that waits for an answer.
  struct Child: Sendable {
    var process: Int32
    /// Ends it when it is closed, with this process at the latest, if the kernel lets it end.
    var socket: Int32
  }

  /// What the operating system does.
  struct System: Sendable {
    /// Asks for the attributes of the root of a filesystem, and returns the child that still waits for
    /// them after so many milliseconds; `nil` where they came, or nobody can ask.
    var ask: @Sendable (_ path: String, _ patience: Int32) -> Child? = { path, patience in
      var child = Child(process: 0, socket: -1)
      let result = unsafe clinux_ask_filesystem(
        ByteText(path).cString, patience, &child.process, &child.socket)
      return Errno(negated: result) == .timedOut ? child : nil
    }
    /// Whether a child has ended, which then is no more.
    var hasEnded: @Sendable (Int32) -> Bool = { clinux_has_ended($0) }
    /// Closes the socket of one.
    var close: @Sendable (Int32) -> Void = { _ = Glibc.close($0) }
    var now: @Sendable () -> ContinuousClock.Instant = { .now }
  }

  /// The wait for one filesystem.
  private struct Wait {
    var child: Child
    /// When it was last asked.
    var asked: ContinuousClock.Instant
    /// After how long it is asked again: one question may be lost, and the next be answered.
    var pause = DistantFilesystems.firstPause
  }

  private struct State {
    /// By the mount points of the filesystems.
    var waits: [String: Wait] = [:]
    /// Those that wait for nothing any more, and may not have ended.
    var left: [Int32] = []
    /// What looks at files of each filesystem.
    var calls: [String: PatientCalls] = [:]
  }

  private let state = Mutex(State())
  private let system: System

  /// How long an answer is waited for, in milliseconds.
  private static let patience: Int32 = 3000
  /// The same where there was none before.
  private static let lessPatience: Int32 = 100
  private static let firstPause = Duration.seconds(5)
  private static let longestPause = Duration.seconds(300)
  /// As many processes that the kernel does not let end are left at most.
  private static let mostLeft = 16

  init(_ system: System = System()) { self.system = system }

  /// Whether a filesystem answers; waits for three seconds at most, and for a tenth of one at times where
  /// it did not before.
  ///
  /// - Parameter point: Where it is mounted, as the calling thread reaches it.
  /// - Returns: Whether it does.
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
    // Two threads may both ask: each waits for its own answer.
    return patience.map { ask(point, patience: $0) } ?? false
  }

  private func ask(_ point: String, patience: Int32) -> Bool {
    let child = system.ask(point, patience)
    return state.withLock { state in
      // It takes the place of the one before, if there is one.
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

  /// Looks at files of a filesystem on a thread of its own, because it can stop to answer meanwhile.
  ///
  /// - Parameters:
  ///   - point: Where it is mounted, as the calling thread reaches it.
  ///   - body: Looks, and asks before whether it answers.
  /// - Returns: What `body` returns, perhaps the second time, when it is known not to answer.
  func look<Value: Sendable>(at point: String, _ body: @escaping @Sendable () -> Value) -> Value {
    let calls = state.withLock { state in
      let calls = state.calls[point] ?? PatientCalls(waiting: .seconds(4))
      state.calls[point] = calls
      return calls
    }
    if let value = try? calls.run({ () throws(Errno) in body() }) { return value }
    // The call that waits is no better proof than a child that does, and can be of a lost question.
    if state.withLock({ $0.waits[point] == nil }) { _ = ask(point, patience: Self.lessPatience) }
    return body()
  }

  /// Whether a path is on a filesystem that is known not to answer; waits for nothing.
  func isSilent(at path: String) -> Bool {
    state.withLock { state in
      state.waits.keys.contains { point in
        guard path.utf8.starts(with: point.utf8) else { return false }
        let rest = path.utf8.dropFirst(point.utf8.count)
        return rest.isEmpty || rest.first == UInt8(ascii: "/")
      }
    }
  }

  /// Finds out of paths whether their filesystems do not answer; one that may not is asked.
  ///
  /// - Parameter proc: Where procfs is; the table of mounts is read there for the first path.
  /// - Returns: What tells whether that of a path does not.
  func silence(proc: String) -> (_ path: String) -> Bool {
    var mounts: MountTable?
    return { path in
      var ignored: [Unobserved] = []
      let table = mounts ?? MountTable.read("\(proc)/thread-self/mountinfo", &ignored)
      mounts = table
      return table.distantPoint(of: path).map { !self.answers(at: $0) } ?? false
    }
  }

  /// Forgets those that have ended, one that waits because it has its answer.
  private func reap(_ point: String, _ state: inout State) {
    state.left.removeAll(where: system.hasEnded)
    if let child = state.waits[point]?.child, system.hasEnded(child.process) {
      system.close(child.socket)
      state.waits[point] = nil
    }
  }
}

extension Errno {
  /// What is said of a filesystem that does not answer, by this package or by the kernel.
  static let silenceReason = "its filesystem does not respond"
}
