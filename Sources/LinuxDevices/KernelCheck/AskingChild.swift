internal import AccessModel
internal import CLinux
internal import Glibc
internal import Synchronization

/// A child process that asks the kernel in another's name, as often as it is told to.
///
/// ``CheckerCredentials/ask(_:)`` starts one for each list of questions. It ends with this value. Its user
/// may stop or end it, which is an error here, and so is a filesystem that does not answer it.
final class AskingChild: Sendable {
  private let socket: Mutex<OwnedDescriptor>
  let process: pid_t
  private let user: UInt32
  private let birth = ContinuousClock.now
  /// What confined the caller at the birth; `nil` where that cannot be told.
  private let confinement = try? ConfinementStamp()
  /// When it was last known to confine the caller still.
  private let confirmed = Mutex(ContinuousClock.now)

  /// How many permissions of one path are asked about at once.
  static let mostModes = 14
  /// `PATH_MAX`: of a longer path the kernel reads no more, to say that it is too long.
  private static let longestPath = 4096
  /// After how long another child takes its place.
  ///
  /// A child is confined as its caller was when it was born. Making one takes some milliseconds of a
  /// processor, because the kernel copies the tables of the caller's memory.
  private static let longestLife = Duration.seconds(60)
  /// After how long it does so where what confines the caller has changed, or cannot be told.
  private static let longestTrust = Duration.seconds(10)

  /// Starts it.
  ///
  /// - Parameters:
  ///   - identity: Whom it asks for.
  ///   - patience: For how many milliseconds its answers are waited for.
  /// - Throws: The error number with which the child or its credentials could not be made; `ETIMEDOUT`
  ///   also where too many of the user's have not ended yet.
  init(_ identity: CheckerCredentials, patience: Int32 = 1000) throws(Errno) {
    guard UnendedChildren.leavesRoom(to: identity.user) else { throw .timedOut }
    var process: pid_t = 0
    let result = unsafe identity.withCredentials {
      unsafe clinux_asker_start($0, patience, &process)
    }
    if result < 0, process > 0 { UnendedChildren.add(process, of: identity.user) }
    socket = Mutex(try OwnedDescriptor(negated: result))
    self.process = process
    user = identity.user
  }

  deinit {
    // The child reads the end of its input, also where it may not be killed.
    socket.withLock { _ = shutdown($0.number, Int32(SHUT_RDWR)) }
    if !clinux_asker_end(process) { UnendedChildren.add(process, of: user) }
  }

  /// Compares what confines the calling thread, where that has not been done for a while.
  ///
  /// - Parameter now: The time.
  /// - Returns: Whether another child has to take its place.
  func isTooOld(at now: ContinuousClock.Instant = .now) -> Bool {
    confirmed.withLock { confirmed in
      guard birth.duration(to: now) < Self.longestLife else { return true }
      guard confirmed.duration(to: now) >= Self.longestTrust else { return false }
      guard let confinement, confinement == (try? ConfinementStamp()) else { return true }
      confirmed = now
      return false
    }
  }

  /// What `faccessat2` answers about some paths, success or an error, for each of their permissions.
  ///
  /// The child is woken once for several of them.
  ///
  /// - Throws: What the child does not answer for: `ETIMEDOUT` where it takes too long, `ECHILD` where it
  ///   has ended. Nothing that it is asked afterwards counts.
  func ask(_ questions: [KernelQuestion]) throws(Errno) -> [Errno] {
    var answers: [Errno] = []
    try socket.withLock { (socket) throws(Errno) in
      var message = Message()
      for question in questions {
        // As the kernel reads it.
        let path = ByteText(question.path).bytes.prefix(Self.longestPath).prefix { $0 != 0 }
        var modes = question.modes[...]
        while !modes.isEmpty {
          if !message.add(path, modes.prefix(Self.mostModes)) {
            answers += try message.answers(through: socket.number)
            message = Message()
            _ = message.add(path, modes.prefix(Self.mostModes))
          }
          modes = modes.dropFirst(Self.mostModes)
        }
      }
      answers += try message.answers(through: socket.number)
    }
    return answers
  }

  /// Questions that are asked at once.
  private struct Message {
    private var bytes: [UInt8] = []
    private var count = 0

    /// Adds a path, unless there is no room for it.
    mutating func add(_ path: some Collection<UInt8>, _ modes: ArraySlice<Permissions>) -> Bool {
      guard bytes.count + path.count + modes.count + 2 <= clinux_most_asked,
        count + modes.count <= clinux_most_answers
      else { return false }
      bytes.append(UInt8(modes.count))
      bytes += modes.map(\.rawValue)
      bytes += path
      bytes.append(0)
      count += modes.count
      return true
    }

    func answers(through socket: Int32) throws(Errno) -> [Errno] {
      guard count > 0 else { return [] }
      var codes = [Int32](repeating: 0, count: count)
      try Errno.check(
        negated: unsafe clinux_asker_ask(socket, bytes, bytes.count, &codes, Int32(count)))
      return codes.map { Errno(negated: $0) }
    }
  }
}
