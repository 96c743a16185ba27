public import AccessModel
internal import Glibc
public import LinuxDevices

/// The machine that the services observe: the running system, or one that a test describes.
///
/// Every call may block on the filesystem and on logind. Only ``open(_:for:)`` and
/// ``probe(_:askedAs:for:)`` open a device.
public protocol Machine: Sendable {
  /// Returns every device in the subsystem of a kind, in the order of the kernel names.
  ///
  /// Devices of other roles are included, as are devices that the caller is not permitted to open.
  /// The result is empty for a kind that is not a device.
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
  /// - Returns: The result of the system call. If there is no device to open, its `attempt` is `nil`.
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

extension Machine {
  /// Returns a copy of the facts that includes the users of the devices in question.
  ///
  /// By default, processes are scanned only for existing cameras and sound devices, and only if the
  /// drivers do not report that the devices are unused.
  ///
  /// - Parameters:
  ///   - facts: The facts.
  ///   - targets: The devices whose users to find; `nil` for the default.
  /// - Returns: The facts. If the users could not be determined, they contain the reason.
  public func observingUse(
    in facts: AccessFacts, of targets: [Question.Target]? = nil
  ) -> AccessFacts {
    let targets = targets ?? facts.targetsOfUse
    guard !targets.isEmpty else { return facts }
    var facts = facts
    do throws(DeviceError) {
      facts.take(try useByOthers(of: targets))
    } catch {
      let reason = error.errno?.reason ?? error.code.description
      facts.unobserved.append(Unobserved("use", at: error.path, reason: reason))
    }
    return facts
  }

  /// Returns the users of devices, except for this process, which may have opened the devices
  /// itself.
  ///
  /// - Throws: The errors of ``use(of:)``.
  public func useByOthers(of targets: [Question.Target]) throws(DeviceError) -> UseFacts {
    var facts = try use(of: targets)
    guard self is LinuxMachine else { return facts }
    for index in facts.devices.indices {
      facts.devices[index].holders.removeAll { $0.process.id == getpid() }
    }
    return facts
  }

  /// Returns the users of the devices that exist.
  ///
  /// - Throws: The errors of ``use(of:)``, except for a path that leads nowhere.
  public func useOfPresent(_ targets: [Question.Target]) throws(DeviceError) -> UseScan {
    try useOfPresent(targets, leavingOutOthers: false)
  }

  /// Returns the users of the devices that exist.
  ///
  /// - Parameters:
  ///   - targets: The devices.
  ///   - leavesOutOthers: A Boolean value that indicates whether to leave out a path to an object
  ///     that is not a device. At first, such a path is a mistake. Later, a device may appear there
  ///     again.
  /// - Throws: The errors of ``use(of:)``, except for a path that is left out.
  /// - Returns: The users, and the paths that were left out.
  package func useOfPresent(
    _ targets: [Question.Target], leavingOutOthers leavesOutOthers: Bool
  ) throws(DeviceError) -> UseScan {
    var present = targets
    var absent: [String] = []
    while true {
      do throws(DeviceError) {
        return UseScan(try use(of: present), absentPaths: absent)
      } catch {
        guard error.isOfAbsentPath || leavesOutOthers && error.isOfTakenPath, let path = error.path,
          let index = present.firstIndex(of: .path(path))
        else { throw error }
        present.remove(at: index)
        absent.append(path)
      }
    }
  }

  /// Returns the targets with absolute paths and without duplicates.
  ///
  /// - Throws: `invalidPath` if no system call accepts a path, `unavailable` if the working
  ///   directory cannot be determined.
  package static func absolute(
    _ targets: [Question.Target]
  ) throws(DeviceError) -> [Question.Target] {
    var seen: Set<Question.Target> = []
    return try targets.map { (target) throws(DeviceError) in
      guard case .path(let path) = target else { return target }
      return .path(try AbsolutePath.resolve(path))
    }
    .filter { seen.insert($0).inserted }
  }
}

extension AccessFacts {
  /// Stores the users of the devices in question.
  package mutating func take(_ use: UseFacts) {
    var use = use
    // Drop the devices that the facts already contain. A device that was found only through a link
    // in procfs is kept.
    let known = Set(devices.map(\.sysfsPath))
    for index in use.devices.indices
    where use.devices[index].device.map({ known.contains($0.sysfsPath) }) ?? false {
      use.devices[index].device = nil
    }
    self.use = use
  }
}

extension Machine {
  /// Returns facts about the calling process with the results of opening each device.
  ///
  /// The method opens and closes every candidate of a kind, or the device at the requested path.
  /// Opening can wake a camera, so only an explicit request may call this method. If a call is
  /// refused while a seccomp filter is active, the same call is made on the null device, which
  /// distinguishes a filter from a rule about the device. A device that reacts to being opened,
  /// such as a watchdog, is not opened unless the call is forced. In this case, `unobserved` in the
  /// facts names it.
  ///
  /// - Parameters:
  ///   - facts: The facts that were observed before, with the access to request.
  ///   - isList: `true` to open every device that a list of the kind shows. If a device refuses
  ///     reading and writing together, each is also tried separately.
  ///   - isForced: `true` to also open devices that react to being opened.
  /// - Returns: The facts with the attempts, and with what the drivers reported about their
  ///   devices.
  public func probed(
    _ facts: AccessFacts, isList: Bool = false, isForced: Bool = false
  ) -> AccessFacts {
    var facts = facts
    let wanted = facts.access.request.permissions
    for path in facts.pathsToOpen(isList: isList) {
      guard let object = facts.objectToOpen(at: path) else { continue }
      if !isForced, let effect = facts.openingEffect(of: object), effect.needsForce {
        facts.withholdOpening(at: path, effect)
        continue
      }
      let node = object.path
      let probe = add(node, path, wanted, to: &facts)
      if isList, probe.attempt?.isRefusal == true, wanted == [.read, .write] {
        _ = add(node, path, .read, to: &facts)
        _ = add(node, path, .write, to: &facts)
      }
    }
    addControls(to: &facts)
    return facts
  }

  private func add(
    _ node: String, _ path: String, _ wanted: Permissions, to facts: inout AccessFacts
  ) -> DeviceProbe {
    let probe = probe(node, askedAs: path, for: wanted)
    if let attempt = probe.attempt { facts.attempts.append(attempt) }
    for index in facts.devices.indices where facts.devices[index].node == node {
      guard let capabilities = probe.driverCapabilities else { continue }
      facts.devices[index].driverCapabilities = capabilities
      facts.devices[index].isPrivate = probe.isPrivate
      if let name = probe.name, !name.isEmpty { facts.devices[index].name = name }
      facts.devices[index].classify()
    }
    return probe
  }

  private func addControls(to facts: inout AccessFacts) {
    guard facts.confinement.seccompMode == 2 else { return }
    let control = Attempt.controlPath
    for flags in Set(facts.attempts.lazy.filter(\.isRefusal).compactMap(\.flags)) {
      let wanted = Request.open(path: control, flags: flags).permissions
      if let attempt = probe(control, askedAs: control, for: wanted).attempt {
        facts.attempts.append(attempt)
      }
    }
  }
}

extension AccessFacts {
  /// Returns the devices that a probe of these facts opens, with the known effects of opening them.
  ///
  /// - Parameter isList: `true` if the probe opens every device that a list of the kind shows.
  /// - Returns: The paths and the effects.
  package func openingEffects(isList: Bool) -> [(path: String, effect: OpeningEffect)] {
    pathsToOpen(isList: isList).compactMap { path in
      objectToOpen(at: path).flatMap(openingEffect).map { (path, $0) }
    }
  }

  fileprivate func pathsToOpen(isList: Bool) -> [String] {
    guard let kind = kind.flatMap(DeviceKind.named), kind.subsystem != nil else {
      return [access.request.path]
    }
    let chosen = isList ? kind.members(in: devices) : kind.candidates(in: devices)
    let paths = chosen.compactMap(\.node)
    return paths.isEmpty ? [access.request.path] : paths
  }

  /// Returns the node to open; `nil` if it is not a device.
  fileprivate func objectToOpen(at path: String) -> Node? {
    var access = access
    access.request = access.request.at(path)
    guard case .open = access.request, let node = access.decide().steps.last?.node,
      node.type.isDevice
    else { return nil }
    // A node with the number of another device would open that device.
    let device = devices.first { $0.node == node.path }
    if let number = device?.number, number != node.rdev { return nil }
    return node
  }
}
