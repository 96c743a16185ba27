public import AccessModel
public import LinuxDevices

/// A machine that does what another one does, except where it says otherwise.
///
/// Implement the requirements of `Machine` that a test is about; all others are those of
/// ``wrapped``:
///
///     final class CountingMachine: MachineWrapper {
///       let wrapped: any Machine = InMemoryMachine { $0.addCamera() }
///       let looks = Mutex(0)
///
///       func facts(for question: Question) throws(DeviceError) -> AccessFacts {
///         looks.withLock { $0 += 1 }
///         return try wrapped.facts(for: question)
///       }
///     }
public protocol MachineWrapper: Machine {
  /// The machine that answers what this one does not.
  var wrapped: any Machine { get }
}

extension MachineWrapper {
  public func devices(of kind: DeviceKind) throws(DeviceError) -> [DeviceFacts] {
    try wrapped.devices(of: kind)
  }

  public func facts(for question: Question) throws(DeviceError) -> AccessFacts {
    try wrapped.facts(for: question)
  }

  public func open(
    _ path: String, for permissions: Permissions
  ) async throws(DeviceError) -> DeviceDescriptor {
    try await wrapped.open(path, for: permissions)
  }

  public func probe(
    _ node: String, askedAs path: String, for permissions: Permissions
  ) -> DeviceProbe {
    wrapped.probe(node, askedAs: path, for: permissions)
  }

  /// Tells what ``wrapped`` tells.
  public func use(of targets: [Question.Target]) throws(DeviceError) -> UseFacts {
    try wrapped.use(of: targets)
  }

  public func events() throws(DeviceError) -> AsyncStream<DeviceEvent> { try wrapped.events() }

  /// Watches ``wrapped``.
  public func watch(_ targets: [Question.Target]) throws(DeviceError) -> any MachineWatch {
    try wrapped.watch(targets)
  }

  /// Watches who uses the devices of ``wrapped``.
  public func watchUse(of targets: [Question.Target]) throws(DeviceError) -> any UseWatch {
    try wrapped.watchUse(of: targets)
  }

  /// Opens that of ``wrapped``.
  public func openAlbum(at path: String, makes: Bool) throws(AlbumError) -> DeviceDescriptor {
    try wrapped.openAlbum(at: path, makes: makes)
  }

  /// Lists that of ``wrapped``.
  public func albumContents(at path: String) -> AlbumContents? { wrapped.albumContents(at: path) }

  /// Looks at that of ``wrapped``.
  public func selectedFile(at path: String) -> SelectedFile { wrapped.selectedFile(at: path) }

  /// Opens that of ``wrapped``.
  public func openSelectedFile(
    at path: String, for wanted: Permissions
  ) throws(AlbumError) -> DeviceDescriptor {
    try wrapped.openSelectedFile(at: path, for: wanted)
  }

  /// That of ``wrapped``.
  public var filePortal: (any FilePortal)? { wrapped.filePortal }

  /// That of ``wrapped``.
  public var cameraPortal: (any CameraPortal)? { wrapped.cameraPortal }

  /// That of ``wrapped``.
  public var deviceBroker: (any DeviceBroker)? { wrapped.deviceBroker }
}
