public import AccessModel
public import DeviceWatching
public import LinuxDevices

/// A machine that forwards all calls to another machine, except for those that it implements
/// itself.
///
/// Implement the requirements of `Machine` that matter to a test. All others are forwarded to
/// ``wrapped``:
///
///     final class CountingMachine: MachineWrapper {
///       let wrapped: any Machine = InMemoryMachine { $0.addCamera() }
///       let scans = Mutex(0)
///
///       func facts(for question: Question) throws(DeviceError) -> AccessFacts {
///         scans.withLock { $0 += 1 }
///         return try wrapped.facts(for: question)
///       }
///     }
public protocol MachineWrapper: Machine {
  /// The machine that performs the forwarded calls.
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

  /// Forwards the call to ``wrapped``.
  public func use(of targets: [Question.Target]) throws(DeviceError) -> UseFacts {
    try wrapped.use(of: targets)
  }

  public func events() throws(DeviceError) -> AsyncStream<DeviceEvent> { try wrapped.events() }

  /// Forwards the call to ``wrapped``.
  public func watch(_ targets: [Question.Target]) throws(DeviceError) -> any MachineWatch {
    try wrapped.watch(targets)
  }

  /// Forwards the call to ``wrapped``.
  public func watchUse(of targets: [Question.Target]) throws(DeviceError) -> any UseWatch {
    try wrapped.watchUse(of: targets)
  }

  /// Forwards the call to ``wrapped``.
  public func openAlbum(at path: String, makes: Bool) throws(AlbumError) -> DeviceDescriptor {
    try wrapped.openAlbum(at: path, makes: makes)
  }

  /// Forwards the call to ``wrapped``.
  public func albumContents(at path: String) -> AlbumContents? { wrapped.albumContents(at: path) }

  /// Forwards the call to ``wrapped``.
  public func selectedFile(at path: String) -> SelectedFile { wrapped.selectedFile(at: path) }

  /// Forwards the call to ``wrapped``.
  public func openSelectedFile(
    at path: String, for wanted: Permissions
  ) throws(AlbumError) -> DeviceDescriptor {
    try wrapped.openSelectedFile(at: path, for: wanted)
  }

  /// The file portal of ``wrapped``.
  public var filePortal: (any FilePortal)? { wrapped.filePortal }

  /// The camera portal of ``wrapped``.
  public var cameraPortal: (any CameraPortal)? { wrapped.cameraPortal }

  /// The device broker of ``wrapped``.
  public var deviceBroker: (any DeviceBroker)? { wrapped.deviceBroker }
}
