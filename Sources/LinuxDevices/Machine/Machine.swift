public import AccessModel

/// What the services observe: the running system, or a machine that a test made up.
///
/// Every call may block on the filesystem and on logind; none opens a device, except
/// ``open(_:for:)`` and ``probe(_:askedAs:for:)``.
public protocol Machine: Sendable {
  /// Every device of the subsystem of a kind, also those of other roles and those that may not
  /// be opened, in the order of their kernel names. Empty for a kind that is not a device.
  ///
  /// - Throws: `unavailable` when the device database cannot be read.
  func devices(of kind: DeviceKind) throws(DeviceError) -> [DeviceFacts]

  /// All that is needed to answer a question for its subject: the calling thread, unless the
  /// question names another.
  ///
  /// What could not be observed is listed in the facts and is not an error.
  ///
  /// - Throws: `invalidPath` for a path that no system call would take, `unavailable` when
  ///   nothing could be observed at all, `noSubject` for a user, group, process or unit that does
  ///   not exist, `maskedUnit` for a unit that cannot be started.
  func facts(for question: Question) throws(DeviceError) -> AccessFacts

  /// The same for a question whose answers are watched.
  ///
  /// - Parameters:
  ///   - question: The question.
  ///   - watch: A watch of this machine, which tells when facts may no longer hold: what it would
  ///     have told since an earlier question need not be observed again.
  /// - Throws: As ``facts(for:)``.
  /// - Returns: The facts.
  func facts(
    for question: Question, watchedBy watch: any MachineWatch
  ) throws(DeviceError) -> AccessFacts

  /// The same for several questions, one after the other: what they have in common may be observed
  /// once.
  ///
  /// - Parameters:
  ///   - questions: The questions.
  ///   - watch: A watch of this machine.
  /// - Throws: As ``facts(for:)``.
  /// - Returns: The facts for each of them.
  func facts(
    for questions: [Question], watchedBy watch: any MachineWatch
  ) throws(DeviceError) -> [AccessFacts]

  /// Opens a device, raising a permitted but not effective capability for that one system call.
  ///
  /// It runs on a thread of its own, so that the raised capability never outlives the call and
  /// never reaches another task. The path is opened without following a symbolic link.
  ///
  /// - Throws: `refused` with the error number of the system call, `notADevice` when the opened
  ///   object is no device.
  func open(
    _ path: String, for permissions: Permissions
  ) async throws(DeviceError) -> DeviceDescriptor

  /// Opens a device once, by the system call and with the flags that programs use, closes it
  /// again, and tells what came of it.
  ///
  /// It can wake a camera: only on an explicit request. No capability is raised, and the call
  /// does not wait for the device.
  ///
  /// - Parameters:
  ///   - node: The canonical path of the device node.
  ///   - path: The path that was asked about, which the result names.
  ///   - permissions: What to open it for.
  /// - Returns: What the call answered; nothing where there is no device to open.
  func probe(_ node: String, askedAs path: String, for permissions: Permissions) -> DeviceProbe

  /// Who holds devices open, as one look at all processes sees it.
  ///
  /// Nothing is opened but files that describe processes. Processes that could not be inspected
  /// are counted, and nobody is called free because of them.
  ///
  /// - Parameter targets: The devices: by paths, or all of a kind. A kind without devices adds none.
  /// - Throws: `notADevice` when a path leads to no device, `unavailable` when the processes cannot
  ///   be listed.
  /// - Returns: The users of each device, and how many processes could not be inspected.
  func use(of targets: [Question.Target]) throws(DeviceError) -> UseFacts

  /// What happens to devices from now on: each element says that the devices of a subsystem
  /// have changed.
  ///
  /// - Throws: `unavailable` when no events can be received.
  func events() throws(DeviceError) -> AsyncStream<DeviceEvent>

  /// Watches what answers to questions about some targets depend on.
  ///
  /// - Parameter targets: What the questions are about.
  /// - Throws: `unavailable` when nothing tells of changes, so that only looking again helps.
  /// - Returns: The watch, which watches files once it knows the facts.
  func watch(_ targets: [Question.Target]) throws(DeviceError) -> any MachineWatch

  /// Watches who uses some devices.
  ///
  /// - Parameter targets: The devices: by absolute paths, or all of a kind.
  /// - Throws: `unavailable` when nothing tells of opens and closes, so that only looking again
  ///   helps.
  /// - Returns: The watch, which watches devices once it has looked.
  func watchUse(of targets: [Question.Target]) throws(DeviceError) -> any UseWatch

  /// Opens the pictures directory of the calling process, so that pictures can be added.
  ///
  /// - Parameters:
  ///   - path: The absolute path, as the facts of the album name it.
  ///   - makes: Whether a missing one is made: with mode 0700, only in the caller's own home
  ///     directory, and never through a symbolic link below that.
  /// - Throws: Why it cannot be had.
  /// - Returns: A descriptor of the directory, which may be one that only names it (`O_PATH`).
  func openAlbum(at path: String, makes: Bool) throws(AlbumError) -> DeviceDescriptor

  /// Tells which files of the pictures directory the calling process can read.
  ///
  /// - Parameter path: The absolute path.
  /// - Returns: The files; `nil` where the directory cannot be listed.
  func albumContents(at path: String) -> AlbumContents?

  /// Tells what the calling process may do with a file that a person chose, without opening it.
  ///
  /// - Parameter path: The absolute path.
  /// - Returns: The file; one that is not a regular file, or a symbolic link, is allowed nothing.
  func selectedFile(at path: String) -> SelectedFile

  /// Opens a file that a person chose; nothing but a regular file is ever opened.
  ///
  /// - Parameters:
  ///   - path: The absolute path.
  ///   - wanted: Reading, writing or both.
  /// - Throws: `absent` where it is gone, `wrongObject` for what is not a regular file, such as a
  ///   symbolic link, `refused`, and `failed` otherwise.
  /// - Returns: The open file.
  func openSelectedFile(
    at path: String, for wanted: Permissions
  ) throws(AlbumError) -> DeviceDescriptor

  /// The camera portal of the desktop; `nil` for a machine without one.
  var cameraPortal: (any CameraPortal)? { get }

  /// The portal of the desktop in which a person chooses files; `nil` for a machine without one.
  var filePortal: (any FilePortal)? { get }

  /// The privileged helper that opens devices for those whom an administrator lets; `nil` for a
  /// machine without one.
  var deviceBroker: (any DeviceBroker)? { get }
}

extension Machine {
  /// A machine has no desktop unless it says so.
  public var cameraPortal: (any CameraPortal)? { nil }

  /// A machine has no desktop unless it says so.
  public var filePortal: (any FilePortal)? { nil }

  /// A machine that has no files to open says so.
  public func openAlbum(at path: String, makes: Bool) throws(AlbumError) -> DeviceDescriptor {
    throw AlbumError(.failed, at: path, "this machine has no files to open")
  }

  /// A machine that has no files to list says so.
  public func albumContents(at path: String) -> AlbumContents? { nil }

  /// A machine that has no files to look at says so.
  public func selectedFile(at path: String) -> SelectedFile {
    SelectedFile(path: path, permissions: [], reason: "this machine has no files to look at")
  }

  /// A machine that has no files to open says so.
  public func openSelectedFile(
    at path: String, for wanted: Permissions
  ) throws(AlbumError) -> DeviceDescriptor {
    throw AlbumError(.failed, at: path, "this machine has no files to open")
  }

  /// A machine has no broker unless it says so.
  public var deviceBroker: (any DeviceBroker)? { nil }

  /// A machine that remembers nothing observes everything.
  public func facts(
    for question: Question, watchedBy watch: any MachineWatch
  ) throws(DeviceError) -> AccessFacts {
    try facts(for: question)
  }

  /// A machine that knows nothing that questions have in common takes them one after the other.
  public func facts(
    for questions: [Question], watchedBy watch: any MachineWatch
  ) throws(DeviceError) -> [AccessFacts] {
    var all: [AccessFacts] = []
    for question in questions { all.append(try facts(for: question, watchedBy: watch)) }
    return all
  }

  /// A machine that cannot tell who uses its devices says so.
  public func use(of targets: [Question.Target]) throws(DeviceError) -> UseFacts {
    throw DeviceError(.unavailable, operation: "tell who uses devices")
  }

  /// A machine that tells of no changes says so.
  public func watch(_ targets: [Question.Target]) throws(DeviceError) -> any MachineWatch {
    throw DeviceError(.unavailable, operation: "watch")
  }

  /// A machine that does not tell of opens and closes says so.
  public func watchUse(of targets: [Question.Target]) throws(DeviceError) -> any UseWatch {
    throw DeviceError(.unavailable, operation: "watch who uses devices")
  }
}
