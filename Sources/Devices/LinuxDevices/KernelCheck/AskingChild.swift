internal import AccessModel
internal import CLinux
internal import Glibc
internal import Synchronization

/// A reusable child process that asks the kernel with the credentials of another user.
///
/// ``CheckerCredentials/ask(_:)`` starts one child for each list of questions. The child ends when
/// this object is released. The user whose credentials the child has may stop or kill it, which
/// leads to an error. A filesystem that does not respond leads to an error as well.
final class AskingChild: Sendable {
  private let socket: Mutex<OwnedDescriptor>
  let process: pid_t
  private let user: UInt32
  private let birth = ContinuousClock.now
  /// The caller's confinement when the child started; `nil` if it could not be read.
  private let confinement = try? ConfinementStamp()
  /// The last time that the caller's confinement was found unchanged.
  private let confirmed = Mutex(ContinuousClock.now)

  /// The maximum number of permissions for one path in a message.
  static let mostModes = 14
  /// `PATH_MAX`; if a path is longer, the kernel refuses it without reading the rest.
  private static let longestPath = 4096
  /// The age at which a child is replaced.
  ///
  /// A child keeps the confinement that its caller had when the child started. Starting one takes
  /// some milliseconds of processor time, because the kernel copies the caller's page tables.
  private static let longestLife = Duration.seconds(60)
  /// The interval after which the caller's confinement is compared again.
  ///
  /// If it has changed or cannot be read, the child is replaced.
  private static let longestTrust = Duration.seconds(10)

  /// Starts a child.
  ///
  /// - Parameters:
  ///   - identity: The credentials of the child.
  ///   - patience: The time to wait for each response, in milliseconds.
  /// - Throws: The error from creating the child or setting its credentials, or `ETIMEDOUT` if it
  ///   does not respond or too many earlier children of the same user have not ended.
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
    // The child exits at the end of its input, even if this process may not kill it.
    socket.withLock { _ = shutdown($0.number, Int32(SHUT_RDWR)) }
    if !clinux_asker_end(process) { UnendedChildren.add(process, of: user) }
  }

  /// Returns whether the child must be replaced.
  ///
  /// The confinement of the calling thread is compared only if the last comparison is some time
  /// ago.
  ///
  /// - Parameter now: The current time.
  /// - Returns: `true` if the child is too old or the confinement may have changed.
  func isTooOld(at now: ContinuousClock.Instant = .now) -> Bool {
    confirmed.withLock { confirmed in
      guard birth.duration(to: now) < Self.longestLife else { return true }
      guard confirmed.duration(to: now) >= Self.longestTrust else { return false }
      guard let confinement, confinement == (try? ConfinementStamp()) else { return true }
      confirmed = now
      return false
    }
  }

  /// Asks the kernel about some paths, and returns a result for each permission.
  ///
  /// A result is what `faccessat2` returned: success or an error. One message to the child contains
  /// several questions.
  ///
  /// - Throws: `ETIMEDOUT` if the child does not respond in time, `ECHILD` if it has ended. After
  ///   an error, the child must not be used again.
  func ask(_ questions: [KernelQuestion]) throws(Errno) -> [Errno] {
    var answers: [Errno] = []
    try socket.withLock { (socket) throws(Errno) in
      var message = Message()
      for question in questions {
        // The kernel ignores the rest of the path.
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

  /// A message to the child with several questions.
  private struct Message {
    private var bytes: [UInt8] = []
    private var count = 0

    /// Adds a path with its permissions; returns `false` if the message has no room for them.
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
