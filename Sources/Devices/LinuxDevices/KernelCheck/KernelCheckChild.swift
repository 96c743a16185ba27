internal import AccessModel
internal import CLinux
internal import Glibc
internal import Synchronization

/// A reusable child process that asks the kernel with the credentials of another user.
///
/// ``CheckerCredentials/ask(_:)`` starts one child for each list of questions. The child ends when
/// this object is released. The user whose credentials the child has may stop or kill it, which
/// leads to an error. A filesystem that does not respond leads to an error as well.
final class KernelCheckChild: Sendable {
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
    guard TerminatingChildren.leavesRoom(to: identity.user) else { throw .timedOut }
    var process: pid_t = 0
    let result = unsafe identity.withCredentials {
      unsafe clinux_asker_start($0, patience, &process)
    }
    if result < 0, process > 0 { TerminatingChildren.add(process, of: identity.user) }
    socket = Mutex(try OwnedDescriptor(negated: result))
    self.process = process
    user = identity.user
  }

  deinit {
    // The child exits at the end of its input, even if this process is not permitted to kill it.
    socket.withLock { _ = shutdown($0.number, Int32(SHUT_RDWR)) }
    if !clinux_asker_end(process) { TerminatingChildren.add(process, of: user) }
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

/// The child processes of one watch, which ask the kernel for its subjects.
final class KernelCheckChildren: Sendable {
  private let children = Mutex<[CheckerCredentials: KernelCheckChild]>([:])

  /// The maximum number of children.
  ///
  /// For further subjects, and for more than `mostPaths` paths, each check starts its own child.
  private static let most = 8
  static let mostPaths = 32

  /// Asks the kernel on behalf of a subject, and returns a result for each path and permission.
  ///
  /// A result is what `faccessat2` returned: success or an error.
  ///
  /// - Throws: The errors of ``CheckerCredentials/ask(_:)``.
  func ask(
    _ questions: [KernelQuestion], as identity: CheckerCredentials
  ) throws(Errno) -> [Errno] {
    guard questions.count <= Self.mostPaths, let child = child(for: identity) else {
      return try identity.ask(questions)
    }
    do throws(Errno) {
      return try child.ask(questions)
    } catch {
      // A late response must not be mistaken for the answer to a later question.
      forget(identity)
      return try identity.ask(questions)
    }
  }

  /// The process IDs of the children.
  var processes: [Int32] { children.withLock { $0.values.map(\.process) } }

  /// Ends all children.
  func forget() {
    // The children are released outside of the lock.
    let ended = children.withLock { children in
      defer { children = [:] }
      return children
    }
    _ = ended
  }

  private func forget(_ identity: CheckerCredentials) {
    let ended = children.withLock { $0.removeValue(forKey: identity) }
    _ = ended
  }

  private func child(for identity: CheckerCredentials) -> KernelCheckChild? {
    let (known, count) = children.withLock { ($0[identity], $0.count) }
    if let known, !known.isTooOld() { return known }
    guard known != nil || count < Self.most, let child = try? KernelCheckChild(identity) else {
      return nil
    }
    let ended = children.withLock { $0.updateValue(child, forKey: identity) }
    _ = ended
    return child
  }
}

/// The children that were asked to end but still exist.
///
/// Such a child may wait in the kernel for an unresponsive filesystem, which can be a program of
/// the same user. Or the user stopped the child, and this process is not permitted to kill it.
enum TerminatingChildren {
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

/// The credentials of a child process that asks the kernel on behalf of another subject.
///
/// The IDs are those of the caller's user namespace. The calling process's own credentials never
/// change; see `clinux_asker_start`.
struct CheckerCredentials: Hashable, Sendable {
  var user: UInt32
  var group: UInt32
  var groups: [UInt32]
  var capabilities: CapabilitySet

  /// Returns whether the calling thread can give a child these credentials.
  ///
  /// This requires `CAP_SETUID`, `CAP_SETGID` and each capability in the credentials.
  func canBeTaken(by caller: Subject) -> Bool {
    let needed: CapabilitySet = [.setUsers, .setGroups]
    return !caller.unobserved.contains(.capabilities)
      && caller.effective.isSuperset(of: needed)
      && caller.permitted.isSuperset(of: capabilities)
  }

  /// The time to wait for each response of a child that was started for some questions, in
  /// milliseconds.
  private static let patience: Int32 = 3000

  /// Starts a child that asks the kernel about some paths, and returns a result for each
  /// permission.
  ///
  /// A result is what `faccessat2` returned: success or an error.
  ///
  /// - Throws: The error from creating a child or setting its credentials, or an error of
  ///   ``KernelCheckChild/ask(_:)``.
  func ask(_ questions: [KernelQuestion]) throws(Errno) -> [Errno] {
    try KernelCheckChild(self, patience: Self.patience).ask(questions)
  }

  /// Calls a C function with these credentials.
  func withCredentials(_ body: (UnsafePointer<clinux_identity>) -> Int32) -> Int32 {
    unsafe groups.withUnsafeBufferPointer { groups in
      var identity = unsafe clinux_identity(
        user: user, group: group, groups: groups.baseAddress, group_count: groups.count,
        capabilities: capabilities.bits)
      return unsafe body(&identity)
    }
  }
}

/// The confinement of the calling thread as far as procfs shows it, for comparison only.
///
/// procfs does not show Landlock domains, so equal stamps do not prove equal confinement.
struct ConfinementStamp: Equatable, Sendable {
  private static let folder = "/proc/thread-self"
  private static let namespaceNames = ["cgroup", "mnt", "user"]

  private let status: ThreadStatus
  private let controlGroups: [UInt8]
  /// The label of the security module; `nil` if no module has labels.
  private let label: String?
  private let namespaces: [String]
  /// The identity of `/`, because the link `root` in procfs has the same target for every root.
  private let root: FileIdentity

  /// Reads the confinement of the calling thread.
  ///
  /// - Throws: The error from reading a file, without which stamps cannot be compared.
  init() throws(Errno) {
    // The limit is enough for a thread with the maximum number of groups.
    status = ThreadStatus(
      parsing: try BoundedFile.read("\(Self.folder)/status", limit: 1 << 20).bytes)
    controlGroups = try BoundedFile.read("\(Self.folder)/cgroup", limit: 1 << 16).bytes
    label = LabelObserver(roots: MachineRoots()).label(of: Self.folder)
    var namespaces: [String] = []
    for name in Self.namespaceNames {
      guard let target = try SymbolicLink.read("\(Self.folder)/ns/\(name)") else {
        throw .noSuchFile
      }
      namespaces.append(target)
    }
    self.namespaces = namespaces
    root = try OpenFile(following: "/", in: AT_FDCWD).identity
  }
}
