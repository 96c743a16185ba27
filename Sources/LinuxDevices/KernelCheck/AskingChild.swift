internal import AccessModel
internal import CLinux
internal import Glibc
internal import Synchronization

/// A child process that asks the kernel in another's name, as often as it is told to.
///
/// It is what ``CheckerCredentials/ask(_:)`` starts for each list of questions, and ends with this
/// value. Its user may stop or end it, which is an error here.
final class AskingChild: Sendable {
  private let socket: Mutex<OwnedDescriptor>
  let process: pid_t
  private let birth = ContinuousClock.now
  /// What confined the caller at the birth; `nil` where that cannot be told.
  private let confinement = try? ConfinementStamp()
  /// When it was last known to confine the caller still.
  private let confirmed = Mutex(ContinuousClock.now)

  /// More permissions of one path than are asked about at once.
  static let mostModes = 14
  /// After how long another child takes its place.
  ///
  /// A child is confined as its caller was when it was born. Making one takes some milliseconds of a
  /// processor, because the kernel copies the tables of the caller's memory.
  private static let longestLife = Duration.seconds(60)
  /// After how long it does so where what confines the caller has changed, or cannot be told.
  private static let longestTrust = Duration.seconds(10)

  /// - Throws: The error number with which the child or its credentials could not be made.
  init(_ identity: CheckerCredentials) throws(Errno) {
    var process: pid_t = 0
    let result = unsafe identity.withCredentials { unsafe clinux_asker_start($0, &process) }
    socket = Mutex(try OwnedDescriptor(negated: result))
    self.process = process
  }

  deinit {
    // The child reads the end of its input, also where it may not be killed.
    socket.withLock { _ = shutdown($0.number, Int32(SHUT_RDWR)) }
    clinux_asker_end(process)
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
  /// - Throws: `E2BIG` for too long a question, and what the child does not answer for; nothing that
  ///   it is asked afterwards counts.
  func ask(_ questions: [KernelQuestion]) throws(Errno) -> [Errno] {
    var answers: [Errno] = []
    try socket.withLock { (socket) throws(Errno) in
      var message = Message()
      for question in questions {
        if message.add(question) { continue }
        answers += try message.answers(through: socket.number)
        message = Message()
        guard message.add(question) else { throw .tooBig }
      }
      answers += try message.answers(through: socket.number)
    }
    return answers
  }

  /// Questions that are asked at once.
  private struct Message {
    private var bytes: [UInt8] = []
    private var count = 0

    /// Adds a path, unless there is no room for it, or it is none.
    mutating func add(_ question: KernelQuestion) -> Bool {
      let (path, modes) = (ByteText(question.path).bytes, question.modes)
      guard modes.count <= AskingChild.mostModes, !path.contains(0),
        bytes.count + path.count + modes.count + 2 <= clinux_most_asked,
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
