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

  /// More permissions of one path than fit into a question.
  static let mostModes = 14
  /// After how long another child takes its place.
  ///
  /// A child is confined as its caller was when it was born, and what confines the caller can
  /// change.
  private static let longestLife = Duration.seconds(10)

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

  var isTooOld: Bool { birth.duration(to: .now) >= Self.longestLife }

  /// So many questions wait in its socket at most, and as many answers: whoever writes more waits.
  private static let mostWaiting = 8

  /// What `faccessat2` answers about some paths, success or an error, for each of their permissions.
  ///
  /// The child is woken once for several of them.
  ///
  /// - Throws: `E2BIG` for too long a question, and what the child does not answer for; nothing that
  ///   it is asked afterwards counts.
  func ask(_ questions: [(path: String, modes: [Permissions])]) throws(Errno) -> [Errno] {
    var answers: [Errno] = []
    try socket.withLock { (socket) throws(Errno) in
      var rest = questions[...]
      while !rest.isEmpty {
        let next = rest.prefix(Self.mostWaiting)
        rest = rest.dropFirst(next.count)
        for (path, modes) in next {
          let codes = modes.map { Int32($0.rawValue) }
          try Errno.check(
            negated: unsafe clinux_asker_ask(
              socket.number, ByteText(path).cString, codes, Int32(codes.count)))
        }
        for (_, modes) in next {
          var codes = [Int32](repeating: 0, count: modes.count)
          try Errno.check(
            negated: unsafe clinux_asker_take(socket.number, &codes, Int32(codes.count)))
          answers += codes.map { Errno(negated: $0) }
        }
      }
    }
    return answers
  }
}
