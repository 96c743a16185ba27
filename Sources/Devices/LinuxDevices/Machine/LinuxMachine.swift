public import AccessModel
internal import Glibc

/// The running Linux system, observed for the calling thread or another subject.
///
/// Observing requires no privilege and opens no device. The facts list what could not be observed.
///
/// For another user, a caller with `CAP_SETUID` and `CAP_SETGID` starts a child process that asks
/// the kernel with that user's credentials. The credentials of the caller's threads do not change.
/// The child ends with the answer or with the watch.
///
/// A process is observed through `/proc`. Its root directory is visible only with permission to
/// trace the process.
///
/// Calls may block on the filesystem and the account databases. If another machine or a program
/// serves these, a call uses a child process and separate threads to wait for at most some seconds.
public struct LinuxMachine: Sendable {
  /// The directories from which facts are read.
  ///
  /// With another `proc`, the subject is the recorded thread in that directory. With another `etc`,
  /// accounts come from its files instead of the name service. libudev always uses `/sys` and
  /// `/run`, so another `sysfs` is read without libudev.
  public var roots: MachineRoots
  /// Returns the value of an environment variable.
  public var environment: @Sendable (String) -> String?
  /// Asks the kernel about permissions for a path.
  ///
  /// The closure returns success, the error, or `nil` if the kernel cannot be asked.
  public var kernelCheck: @Sendable (String, Permissions) -> Errno?
  /// The camera portal, by default that of the user's session if this is the running system.
  public var cameraPortal: (any CameraPortal)?
  /// The file portal, by default that of the user's session if this is the running system.
  public var filePortal: (any FilePortal)?
  /// The device broker, by default that on the system bus if this is the running system.
  public var deviceBroker: (any DeviceBroker)?

  /// Creates a machine; the default values describe the running system.
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

  /// Returns a variable in this process's environment (getenv(3)).
  public static let processEnvironment: @Sendable (String) -> String? = { name in
    guard let value = unsafe getenv(name) else { return nil }
    let bytes = unsafe UnsafeRawBufferPointer(start: value, count: strlen(value))
    return unsafe ByteText(bytes: Array(bytes)).text
  }

  /// Calls `faccessat2` with `AT_EACCESS` directly, without glibc.
  public static let askKernel: @Sendable (String, Permissions) -> Errno? = { path, mode in
    FileAccessCheck.ask(path, mode)
  }

  /// Returns every device in the subsystem of a kind, in the order of the kernel names.
  ///
  /// - Throws: `unavailable` if the device database cannot be read, `exhausted` if there are too
  ///   few descriptors.
  public func devices(of kind: DeviceKind) throws(DeviceError) -> [DeviceFacts] {
    guard let subsystem = kind.subsystem else { return [] }
    try requireDescriptors()
    let devices = try DeviceEnumerator(roots: roots).devices(inSubsystem: subsystem)
    return try NumberObserver(roots: roots).believed(devices, of: kind)
  }

  /// Returns the facts that are needed to answer a question.
  ///
  /// - Throws: `invalidPath` for a path that no system call accepts, `unavailable` if nothing could
  ///   be observed, `noSubject` for a user, group, process or unit that does not exist,
  ///   `maskedUnit` for a unit that cannot be started, `exhausted` if there are too few
  ///   descriptors.
  public func facts(for question: Question) throws(DeviceError) -> AccessFacts {
    let question = try Self.absolute(question)
    try requireDescriptors()
    var facts = try unwatchedFacts(for: question)
    // If an object changes after it was inspected, the kernel's answer contradicts the facts, and
    // another scan resolves this. If a layer outside of the model refuses access, the contradiction
    // remains.
    for _ in 0..<2 {
      guard facts.isContradicted else { break }
      facts = try unwatchedFacts(for: question)
    }
    return facts
  }

  private func unwatchedFacts(for question: Question) throws(DeviceError) -> AccessFacts {
    // If a process changes its credentials in the meantime, for example by execve(2), it is scanned
    // again.
    for _ in 0..<3 {
      let view = try SubjectView(of: question, roots: roots, environment: environment)
      var facts = try scan(question, as: view)
      guard let (directory, status) = view.directory else { return facts }
      // This throws if the process has ended, because facts that were read after its end are
      // missing.
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

  /// Returns the facts for several questions, which may be about similar files.
  ///
  /// - Parameters:
  ///   - questions: The questions.
  ///   - cache: The facts from earlier scans, which are reused where they are still valid.
  /// - Throws: The errors of ``facts(for:)``.
  /// - Returns: The facts for each question, in the same order.
  package func facts(
    for questions: [Question], using cache: ScanCache
  ) throws(DeviceError) -> [AccessFacts] {
    let questions = try questions.map(Self.absolute)
    var found: [AccessFacts?] = []
    var files: [(index: Int, file: SimilarFileFacts.InspectedFile)] = []
    for question in questions {
      if let file = SimilarFileFacts.scan(for: question, knowing: cache.similarFiles) {
        files.append((found.count, file))
        found.append(nil)
      } else {
        found.append(try facts(for: question, using: cache))
      }
    }
    let alike = SimilarFileFacts.facts(
      of: files.map(\.file), asking: kernelCheck, through: cache.children)
    for (place, facts) in zip(files, alike) { found[place.index] = facts }
    for index in found.indices where found[index] == nil {
      found[index] = try facts(for: questions[index], using: cache)
    }
    return found.compactMap(\.self)
  }

  /// Returns whether facts about the subject of a question remain valid until there is an event.
  ///
  /// Changes to another process or to the settings of a unit cause no events.
  private static func isRemembered(_ question: Question) -> Bool {
    switch question.subject {
    case .ownProcess, .user: true
    case .process, .unit: false
    }
  }

  private func facts(
    for question: Question, using cache: ScanCache
  ) throws(DeviceError) -> AccessFacts {
    guard Self.isRemembered(question) else { return try facts(for: question) }
    let readCount = cache.readCount
    let who = ScanCache.Who(question)
    let view = try cache.recall(
      { $0.views[who] }, keep: { $0.views[who] = $1 },
      read: { () throws(DeviceError) in
        try SubjectView(of: question, roots: roots, environment: environment)
      })
    let facts = try scan(question, as: view, using: cache)
    if cache.readCount != readCount {
      do throws(DeviceError) {
        try requireDescriptors()
      } catch {
        cache.forget()
        throw error
      }
    }
    if let directories = cache.directories(above: question),
      let similar = SimilarFileFacts(question, facts, of: view, in: directories)
    {
      cache.keep(similar)
    }
    return facts
  }

  /// Returns the facts; if their filesystem might not respond, the time to wait is limited.
  private func scan(
    _ question: Question, as view: SubjectView, using cache: ScanCache? = nil
  ) throws(DeviceError) -> AccessFacts {
    let collect: @Sendable () -> Result<AccessFacts, DeviceError> = {
      Result { () throws(DeviceError) in
        let observation = LinuxObservation(question, of: self, as: view, using: cache)
        return try FactsCollector(question, from: observation).facts()
      }
    }
    guard let point = distantPoint(of: question, as: view) else { return try collect().get() }
    return try RemoteFilesystems.shared.scan(at: view.root + point, collect).get()
  }

  /// Returns the mount point of the filesystem that a question is about, if that filesystem might
  /// not respond.
  ///
  /// The path of the album is not known yet, so the directories that may contain it are checked.
  private func distantPoint(of question: Question, as view: SubjectView) -> String? {
    switch question.target {
    case .path(let path): view.mounts.distantPoint(of: path)
    case .kind(.album):
      ["XDG_PICTURES_DIR", "XDG_CONFIG_HOME", "HOME"].lazy
        .compactMap { view.environment($0).flatMap(view.mounts.distantPoint) }.first
    case .kind: nil
    }
  }

  /// Returns the question, with an absolute path if it is about a path.
  private static func absolute(_ question: Question) throws(DeviceError) -> Question {
    guard case .path(let path) = question.target else { return question }
    var absolute = question
    absolute.target = .path(try AbsolutePath.resolve(path))
    return absolute
  }

  /// Checks that the process has enough file descriptors to observe the machine.
  ///
  /// - Throws: `exhausted` if it does not.
  package func requireDescriptors() throws(DeviceError) {
    do throws(Errno) {
      try DescriptorReserve.check()
    } catch {
      throw DeviceError(.exhausted, operation: "observe this machine", errno: error)
    }
  }

  /// Opens a device, raising a permitted but not effective capability only for that system call.
  ///
  /// - Throws: `refused` with the error number of the system call, `notADevice` if the opened
  ///   object is not a device.
  public func open(
    _ path: String, for permissions: Permissions
  ) async throws(DeviceError) -> DeviceDescriptor {
    try await DeviceOpener.open(try AbsolutePath.resolve(path), for: permissions)
  }

  /// Opens a device once, with the system call and flags that programs use, and closes it again.
  public func probe(
    _ node: String, askedAs path: String, for permissions: Permissions
  ) -> DeviceProbe {
    DeviceProber.probe(node, askedAs: path, for: permissions)
  }

  /// Returns the events in the subsystems of all kinds, after the udev daemon has processed them.
  ///
  /// Each call opens a netlink socket, which closes when the stream is cancelled or released. If
  /// events were lost, the stream contains one `change` without a kernel name for each subsystem. A
  /// process in its own network namespace receives no events. ``DeviceMonitor`` provides more
  /// details.
  public func events() throws(DeviceError) -> AsyncStream<DeviceEvent> {
    try DeviceEventSource.stream()
  }
}

extension LinuxMachine {
  /// Returns the users of devices, from one scan of all processes in `/proc`.
  ///
  /// The scan inspects the descriptors of each process and its threads, and its memory mappings. It
  /// identifies a device by its number. It uses a few threads if they can be created, and takes
  /// about three microseconds for each open file on the machine.
  public func use(of targets: [Question.Target]) throws(DeviceError) -> UseFacts {
    try requireDescriptors()
    let finder = UseTargetFinder(roots: roots)
    var devices: [UseTarget] = []
    for target in targets { devices.add(try finder.devices(of: target)) }
    guard !devices.isEmpty else { return UseFacts() }
    let facts = try UseObserver(roots: roots, environment: environment).use(of: devices)
    // A device without a driver cannot be opened. However, earlier users that still hold it are
    // reported.
    let numbers = NumberObserver(roots: roots)
    for (use, target) in zip(facts.devices, devices) where use.device == nil && !use.isHeld {
      let number = numbers.observe(target.number.number, isBlock: target.number.isBlock)
      guard number.hasDriver != false else {
        throw DeviceError(
          .notADevice, operation: "find the users of", path: target.askedAs.first ?? target.node,
          errno: .noSuchAddress)
      }
    }
    return facts
  }
}

extension LinuxMachine {
  /// Opens the pictures directory, following symbolic links.
  ///
  /// If `makes` is `true`, a missing directory is created. It must be in the home directory that
  /// `HOME` names, or without `HOME`, the account database. The kernel checks the credentials of
  /// the calling thread.
  public func openAlbum(at path: String, makes: Bool) throws(AlbumError) -> DeviceDescriptor {
    guard makes else { return try AlbumDirectory.open(path) }
    guard
      let home = environment("HOME").flatMap(absolute) ?? AccountSources.home(of: geteuid(), roots)
    else {
      throw AlbumError(.foreignPlace, at: path, "no home directory is known")
    }
    return try AlbumDirectory.make(path, below: home)
  }

  /// Returns the files in the pictures directory that the calling process can read.
  public func albumContents(at path: String) -> AlbumContents? { try? AlbumContents(at: path) }

  /// Returns the access of the calling process to a file that the user chose, without opening it.
  public func selectedFile(at path: String) -> SelectedFile { SelectedFile(lookingAt: path) }

  /// Opens the file after pinning it, which requires `/proc`.
  public func openSelectedFile(
    at path: String, for wanted: Permissions
  ) throws(AlbumError) -> DeviceDescriptor {
    try SelectedFile.open(path, for: wanted)
  }

  private func absolute(_ path: String) -> String? {
    path.utf8.first == UInt8(ascii: "/") ? path : nil
  }
}
