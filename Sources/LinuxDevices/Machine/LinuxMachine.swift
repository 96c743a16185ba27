public import AccessModel
internal import Glibc

/// The running Linux system, observed for the calling thread or another subject.
///
/// Observing needs no privilege and opens no device; what may not be seen is listed in the
/// facts. For a user, a caller with CAP_SETUID and CAP_SETGID also lets a child process ask the
/// kernel with that user's credentials; no thread of the caller changes. The child ends with the
/// answer, or with the watch that it answers for.
/// A process is read from `/proc`, where its root directory takes the right to trace it. Calls may
/// block on the filesystem and on the account databases: for some seconds at most where another machine
/// or a program serves them, which a child process and threads of their own find out.
public struct LinuxMachine: Machine {
  /// Where facts are read from.
  ///
  /// With another `proc` the subject is the recorded thread in it; with another `etc` accounts
  /// come from its files instead of the name service. libudev is fixed to `/sys` and `/run`, so
  /// another `sysfs` is read without it.
  public var roots: MachineRoots
  /// Looks a variable of the environment up.
  public var environment: @Sendable (String) -> String?
  /// The kernel's own answer for a path and permissions: 0, an error number, or `nil` when it
  /// cannot be asked.
  public var kernelCheck: @Sendable (String, Permissions) -> Errno?
  /// The camera portal; that of the user's session where the running system is observed.
  public var cameraPortal: (any CameraPortal)?
  /// The portal of files; that of the user's session where the running system is observed.
  public var filePortal: (any FilePortal)?
  /// The broker of devices; that of the system bus where the running system is observed.
  public var deviceBroker: (any DeviceBroker)?

  /// A machine with its own roots; the defaults are the running system.
  public init(
    roots: MachineRoots = MachineRoots(),
    environment: @escaping @Sendable (String) -> String? = LinuxMachine.processEnvironment,
    kernelCheck: @escaping @Sendable (String, Permissions) -> Errno? = LinuxMachine.askKernel
  ) {
    self.roots = roots
    self.environment = environment
    self.kernelCheck = kernelCheck
    cameraPortal = roots == MachineRoots() ? DesktopPortal() : nil
    filePortal = roots == MachineRoots() ? DesktopPortal() : nil
    deviceBroker = roots == MachineRoots() ? SystemBroker() : nil
  }

  /// A variable of this process's environment (getenv(3)).
  public static let processEnvironment: @Sendable (String) -> String? = { name in
    guard let value = unsafe getenv(name) else { return nil }
    let bytes = unsafe UnsafeRawBufferPointer(start: value, count: strlen(value))
    return unsafe ByteText(bytes: Array(bytes)).text
  }

  /// The raw system call `faccessat2` with `AT_EACCESS`.
  public static let askKernel: @Sendable (String, Permissions) -> Errno? = { path, mode in
    FileAccessCheck.ask(path, mode)
  }

  public func devices(of kind: DeviceKind) throws(DeviceError) -> [DeviceFacts] {
    guard let subsystem = kind.subsystem else { return [] }
    try requireDescriptors()
    let devices = try DeviceEnumerator(roots: roots).devices(inSubsystem: subsystem)
    return try NumberObserver(roots: roots).believed(devices, of: kind)
  }

  public func facts(for question: Question) throws(DeviceError) -> AccessFacts {
    let question = try Self.absolute(question)
    try requireDescriptors()
    var facts = try unwatchedFacts(for: question)
    // What changes between the look at an object and the kernel's own answer makes the two differ; what a
    // layer outside of the model refuses stays so.
    for _ in 0..<2 {
      guard facts.isContradicted else { break }
      facts = try unwatchedFacts(for: question)
    }
    return facts
  }

  private func unwatchedFacts(for question: Question) throws(DeviceError) -> AccessFacts {
    // A process that changes its credentials meanwhile, as execve(2) may, is looked at again.
    for _ in 0..<3 {
      let view = try SubjectView(of: question, roots: roots, environment: environment)
      var facts = try look(question, as: view)
      guard let (directory, status) = view.directory else { return facts }
      // What was read of a process that ended meanwhile belongs to nobody.
      let number = view.origin?.pid ?? 0
      guard try ProcessSubject.status(of: directory, number) == status else { continue }
      for index in facts.unobserved.indices {
        facts.unobserved[index].at = facts.unobserved[index].at?
          .replacing(directory.path, with: "\(roots.proc)/\(number)")
      }
      return facts
    }
    var process: String?
    if case .process(let number) = question.subject { process = String(number) }
    throw DeviceError(.unavailable, operation: "read the changing process", path: process)
  }

  /// The facts, of which what the watch would have told is not read again.
  ///
  /// The question is one of those that the watch is told the facts of.
  public func facts(
    for question: Question, watchedBy watch: any MachineWatch
  ) throws(DeviceError) -> AccessFacts {
    try facts(for: [question], watchedBy: watch)[0]
  }

  /// The facts for several questions, which may be about files that are alike.
  public func facts(
    for questions: [Question], watchedBy watch: any MachineWatch
  ) throws(DeviceError) -> [AccessFacts] {
    guard let memory = (watch as? LinuxWatch)?.memoryForLook() else {
      return try questions.map { (question) throws(DeviceError) in try facts(for: question) }
    }
    let questions = try questions.map(Self.absolute)
    var found: [AccessFacts?] = []
    var files: [(index: Int, file: KindredFacts.Sighted)] = []
    for question in questions {
      if let file = KindredFacts.look(for: question, knowing: memory.kindred) {
        files.append((found.count, file))
        found.append(nil)
      } else {
        found.append(try facts(for: question, remembering: memory))
      }
    }
    let alike = KindredFacts.facts(
      of: files.map(\.file), asking: kernelCheck, through: memory.children)
    for (place, facts) in zip(files, alike) { found[place.index] = facts }
    for index in found.indices where found[index] == nil {
      found[index] = try facts(for: questions[index], remembering: memory)
    }
    return found.compactMap(\.self)
  }

  /// Whether what was seen for a question holds until something is told: what becomes of a process,
  /// or of a unit's settings, is not.
  private static func isRemembered(_ question: Question) -> Bool {
    switch question.subject {
    case .ownProcess, .user: true
    case .process, .unit: false
    }
  }

  private func facts(
    for question: Question, remembering memory: LookMemory
  ) throws(DeviceError) -> AccessFacts {
    guard Self.isRemembered(question) else { return try facts(for: question) }
    let readCount = memory.readCount
    let who = LookMemory.Who(question)
    let view = try memory.recall(
      { $0.views[who] }, keep: { $0.views[who] = $1 },
      read: { () throws(DeviceError) in
        try SubjectView(of: question, roots: roots, environment: environment)
      })
    let facts = try look(question, as: view, remembering: memory)
    if memory.readCount != readCount {
      do throws(DeviceError) {
        try requireDescriptors()
      } catch {
        memory.forget()
        throw error
      }
    }
    if let directories = memory.directories(above: question),
      let kindred = KindredFacts(question, facts, of: view, in: directories)
    {
      memory.keep(kindred)
    }
    return facts
  }

  /// The facts, which nobody waits for long for where they are of a filesystem that may not answer.
  private func look(
    _ question: Question, as view: SubjectView, remembering memory: LookMemory? = nil
  ) throws(DeviceError) -> AccessFacts {
    let collect: @Sendable () -> Result<AccessFacts, DeviceError> = {
      Result { () throws(DeviceError) in
        let observation = LinuxObservation(question, of: self, as: view, remembering: memory)
        return try FactsCollector(question, from: observation).facts()
      }
    }
    guard let point = distantPoint(of: question, as: view) else { return try collect().get() }
    return try DistantFilesystems.shared.look(at: view.root + point, collect).get()
  }

  /// Where the filesystem is mounted that a question about a path or the album is about, as far as its
  /// words tell, if it may not answer.
  private func distantPoint(of question: Question, as view: SubjectView) -> String? {
    switch question.target {
    case .path(let path): view.mounts.distantPoint(of: path)
    case .kind(.album):
      ["XDG_PICTURES_DIR", "XDG_CONFIG_HOME", "HOME"].lazy
        .compactMap { view.environment($0).flatMap(view.mounts.distantPoint) }.first
    case .kind: nil
    }
  }

  /// A question about an absolute path, where it is about one.
  private static func absolute(_ question: Question) throws(DeviceError) -> Question {
    guard case .path(let path) = question.target else { return question }
    var absolute = question
    absolute.target = .path(try AbsolutePath.resolve(path))
    return absolute
  }

  func requireDescriptors() throws(DeviceError) {
    do throws(Errno) {
      try DescriptorReserve.check()
    } catch {
      throw DeviceError(.exhausted, operation: "observe this machine", errno: error)
    }
  }

  public func open(
    _ path: String, for permissions: Permissions
  ) async throws(DeviceError) -> DeviceDescriptor {
    try await DeviceOpener.open(try AbsolutePath.resolve(path), for: permissions)
  }

  public func probe(
    _ node: String, askedAs path: String, for permissions: Permissions
  ) -> DeviceProbe {
    DeviceProber.probe(node, askedAs: path, for: permissions)
  }

  /// Events of the subsystems of all kinds, after the udev daemon has processed them.
  ///
  /// Each call opens a netlink socket of its own, which closes when the stream is cancelled or
  /// goes away; see ``DeviceMonitor``, which tells more. Where events were lost, one `change`
  /// without a kernel name stands for each subsystem. A process in a network namespace of its own
  /// receives nothing.
  public func events() throws(DeviceError) -> AsyncStream<DeviceEvent> {
    try DeviceEventSource.stream()
  }

  /// Watches devices by the events of udev, files by inotify(7), sessions by sd-login(3), and
  /// mounts and accounts by their files.
  ///
  /// A source that is missing is a gap of the coverage. One thread serves all watches of the
  /// process, and sleeps while nothing happens.
  public func watch(_ targets: [Question.Target]) throws(DeviceError) -> any MachineWatch {
    try requireDescriptors()
    return LinuxWatch(targets, roots: roots, environment: environment)
  }
}
