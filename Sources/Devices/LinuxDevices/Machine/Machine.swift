public import AccessModel

/// The machine that the services observe: the running system, or one that a test describes.
///
/// Every call may block on the filesystem and on logind. Only ``open(_:for:)`` and
/// ``probe(_:askedAs:for:)`` open a device.
public protocol Machine: Sendable {
  /// Returns every device in the subsystem of a kind, in the order of the kernel names.
  ///
  /// Devices of other roles are included, as are devices that may not be opened. The result is
  /// empty for a kind that is not a device.
  ///
  /// - Throws: `unavailable` if the device database cannot be read.
  func devices(of kind: DeviceKind) throws(DeviceError) -> [DeviceFacts]

  /// Returns the facts that are needed to answer a question.
  ///
  /// The subject is the calling thread, unless the question names another. Facts that could not be
  /// observed are listed in the result and are not an error.
  ///
  /// - Throws: `invalidPath` for a path that no system call accepts, `unavailable` if nothing could
  ///   be observed, `noSubject` for a user, group, process or unit that does not exist,
  ///   `maskedUnit` for a unit that cannot be started.
  func facts(for question: Question) throws(DeviceError) -> AccessFacts

  /// Returns the facts for a question whose answers are watched.
  ///
  /// - Parameters:
  ///   - question: The question.
  ///   - watch: A watch of this machine. Facts that it has not reported as changed since an earlier
  ///     question need not be observed again.
  /// - Throws: The errors of ``facts(for:)``.
  /// - Returns: The facts.
  func facts(
    for question: Question, watchedBy watch: any MachineWatch
  ) throws(DeviceError) -> AccessFacts

  /// Returns the facts for several questions; facts that they share may be observed only once.
  ///
  /// - Parameters:
  ///   - questions: The questions.
  ///   - watch: A watch of this machine.
  /// - Throws: The errors of ``facts(for:)``.
  /// - Returns: The facts for each question, in the same order.
  func facts(
    for questions: [Question], watchedBy watch: any MachineWatch
  ) throws(DeviceError) -> [AccessFacts]

  /// Opens a device, raising a permitted but not effective capability only for that system call.
  ///
  /// The call runs on its own thread: the raised capability never outlives the call and never
  /// reaches another task. The path is opened without following a symbolic link.
  ///
  /// - Throws: `refused` with the error number of the system call, `notADevice` if the opened
  ///   object is not a device.
  func open(
    _ path: String, for permissions: Permissions
  ) async throws(DeviceError) -> DeviceDescriptor

  /// Opens a device once, with the system call and flags that programs use, and closes it again.
  ///
  /// This can wake a camera, so it must run only on an explicit request. No capability is raised,
  /// and the call does not wait for the device.
  ///
  /// - Parameters:
  ///   - node: The canonical path of the device node.
  ///   - path: The path from the question, which the result names.
  ///   - permissions: The access to open it for.
  /// - Returns: The result of the system call; without an attempt if there is no device to open.
  func probe(_ node: String, askedAs path: String, for permissions: Permissions) -> DeviceProbe

  /// Returns the users of devices, from one scan of all processes.
  ///
  /// The scan opens only files that describe processes. It counts the processes that could not be
  /// inspected, and does not report a device as free because of them.
  ///
  /// - Parameter targets: The devices, by path or all of a kind. A kind without devices adds none.
  /// - Throws: `notADevice` if a path does not lead to a device, `unavailable` if the processes
  ///   cannot be listed.
  /// - Returns: The users of each device, and the number of processes that could not be inspected.
  func use(of targets: [Question.Target]) throws(DeviceError) -> UseFacts

  /// Returns a stream of device events; each means that the devices of a subsystem changed.
  ///
  /// - Throws: `unavailable` if events cannot be received.
  func events() throws(DeviceError) -> AsyncStream<DeviceEvent>

  /// Watches the state that determines the answers to questions about some targets.
  ///
  /// - Parameter targets: The targets of the questions.
  /// - Throws: `unavailable` if nothing reports changes and only polling helps.
  /// - Returns: The watch, which watches files once it knows the facts.
  func watch(_ targets: [Question.Target]) throws(DeviceError) -> any MachineWatch

  /// Watches the users of some devices.
  ///
  /// - Parameter targets: The devices, by absolute path or all of a kind.
  /// - Throws: `unavailable` if nothing reports opens and closes and only polling helps.
  /// - Returns: The watch, which watches devices after its first scan.
  func watchUse(of targets: [Question.Target]) throws(DeviceError) -> any UseWatch

  /// Opens the pictures directory of the calling process, to add pictures to it.
  ///
  /// - Parameters:
  ///   - path: The absolute path, as in the facts of the album.
  ///   - makes: `true` to create a missing directory: with mode 0700, only in the caller's own home
  ///     directory, and never through a symbolic link below it.
  /// - Throws: The reason why the directory cannot be opened.
  /// - Returns: A descriptor of the directory, which may have been opened with `O_PATH`.
  func openAlbum(at path: String, makes: Bool) throws(AlbumError) -> DeviceDescriptor

  /// Returns the files in the pictures directory that the calling process can read.
  ///
  /// - Parameter path: The absolute path.
  /// - Returns: The files; `nil` if the directory cannot be listed.
  func albumContents(at path: String) -> AlbumContents?

  /// Returns the access of the calling process to a file that the user chose, without opening it.
  ///
  /// - Parameter path: The absolute path.
  /// - Returns: The file; without permissions if it is a symbolic link or not a regular file.
  func selectedFile(at path: String) -> SelectedFile

  /// Opens a regular file that the user chose.
  ///
  /// - Parameters:
  ///   - path: The absolute path.
  ///   - wanted: The access to open the file for: reading, writing or both.
  /// - Throws: `absent` if the file no longer exists, `wrongObject` if it is not a regular file,
  ///   such as a symbolic link, `refused` if the kernel refuses access, or `failed`.
  /// - Returns: The open file.
  func openSelectedFile(
    at path: String, for wanted: Permissions
  ) throws(AlbumError) -> DeviceDescriptor

  /// The camera portal of the desktop; `nil` for a machine without one.
  var cameraPortal: (any CameraPortal)? { get }

  /// The desktop portal for choosing files; `nil` for a machine without one.
  var filePortal: (any FilePortal)? { get }

  /// The privileged helper that opens devices for users whom the administrator has authorized.
  ///
  /// It is `nil` for a machine without one.
  var deviceBroker: (any DeviceBroker)? { get }
}

extension Machine {
  /// The default, for a machine without a desktop.
  public var cameraPortal: (any CameraPortal)? { nil }

  /// The default, for a machine without a desktop.
  public var filePortal: (any FilePortal)? { nil }

  /// The default, for a machine without files: throws an error.
  public func openAlbum(at path: String, makes: Bool) throws(AlbumError) -> DeviceDescriptor {
    throw AlbumError(.failed, at: path, "this machine has no files to open")
  }

  /// The default, for a machine without files.
  public func albumContents(at path: String) -> AlbumContents? { nil }

  /// The default, for a machine without files: the file has no permissions.
  public func selectedFile(at path: String) -> SelectedFile {
    SelectedFile(path: path, permissions: [], reason: "this machine has no files to inspect")
  }

  /// The default, for a machine without files: throws an error.
  public func openSelectedFile(
    at path: String, for wanted: Permissions
  ) throws(AlbumError) -> DeviceDescriptor {
    throw AlbumError(.failed, at: path, "this machine has no files to open")
  }

  /// The default, for a machine without a broker.
  public var deviceBroker: (any DeviceBroker)? { nil }

  /// The default, for a machine that remembers nothing: observes all facts.
  public func facts(
    for question: Question, watchedBy watch: any MachineWatch
  ) throws(DeviceError) -> AccessFacts {
    try facts(for: question)
  }

  /// The default, for a machine that shares no facts between questions: observes each in turn.
  public func facts(
    for questions: [Question], watchedBy watch: any MachineWatch
  ) throws(DeviceError) -> [AccessFacts] {
    var all: [AccessFacts] = []
    for question in questions { all.append(try facts(for: question, watchedBy: watch)) }
    return all
  }

  /// The default, for a machine that cannot determine the users of its devices: throws an error.
  public func use(of targets: [Question.Target]) throws(DeviceError) -> UseFacts {
    throw DeviceError(.unavailable, operation: "find the users of devices")
  }

  /// The default, for a machine that reports no changes: throws an error.
  public func watch(_ targets: [Question.Target]) throws(DeviceError) -> any MachineWatch {
    throw DeviceError(.unavailable, operation: "watch")
  }

  /// The default, for a machine that does not report opens and closes: throws an error.
  public func watchUse(of targets: [Question.Target]) throws(DeviceError) -> any UseWatch {
    throw DeviceError(.unavailable, operation: "watch the users of devices")
  }
}
