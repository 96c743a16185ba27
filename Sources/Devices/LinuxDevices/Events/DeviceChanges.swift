internal import AccessModel

/// The devices of some subsystems, followed by every change to them.
///
/// The kernel's list of devices is authoritative. Events only cause it to be read again. After
/// events were lost, the system slept or the udev daemon started, all devices are listed and the
/// differences are delivered. A consumer that applies every element therefore ends up with the
/// kernel's list.
public struct DeviceChanges: AsyncSequence, Sendable {
  public typealias Element = DeviceChange
  public typealias Failure = DeviceError

  private let monitor: DeviceMonitor
  private let subsystems: [String]
  private let roots: MachineRoots

  /// Starts to receive events; the devices are listed when the first element is requested.
  ///
  /// - Parameters:
  ///   - subsystems: The udev names of the subsystems, by default those of all device kinds.
  ///   - roots: The directories that contain sysfs and the state of the udev daemon.
  /// - Throws: `unavailable` if events cannot be received, `exhausted` if there are too few
  ///   descriptors.
  public init(
    of subsystems: Set<String>? = nil, roots: MachineRoots = MachineRoots()
  ) throws(DeviceError) {
    let subsystems = subsystems ?? Set(DeviceKind.all.compactMap(\.subsystem))
    monitor = try DeviceMonitor(of: subsystems, roots: roots)
    self.subsystems = subsystems.sorted()
    self.roots = roots
  }

  public func makeAsyncIterator() -> Iterator {
    Iterator(
      notices: monitor.makeAsyncIterator(), subsystems: subsystems,
      enumerator: DeviceEnumerator(roots: roots))
  }

  /// An iterator that returns one change at a time.
  public struct Iterator: AsyncIteratorProtocol {
    var notices: DeviceMonitor.Iterator
    let subsystems: [String]
    let enumerator: DeviceEnumerator
    private var inventory = DeviceInventory()
    private var isListed = false
    /// The changes that have not been returned yet, in reverse order.
    private var pending: [DeviceChange] = []

    init(
      notices: DeviceMonitor.Iterator, subsystems: [String], enumerator: DeviceEnumerator
    ) {
      self.notices = notices
      self.subsystems = subsystems
      self.enumerator = enumerator
    }

    /// Waits for the next change.
    ///
    /// - Throws: `unavailable` if the devices cannot be listed or events cannot be received,
    ///   `exhausted` if there are too few descriptors.
    /// - Returns: The change; `nil` after the task was cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(DeviceError) -> DeviceChange? {
      while !Task.isCancelled {
        if let change = pending.popLast() { return change }
        if !isListed {
          isListed = true
          try list()
          continue
        }
        guard let notice = try await notices.next(isolation: actor) else { return nil }
        try apply(notice)
      }
      notices.session.end()
      return nil
    }

    private mutating func apply(_ notice: DeviceNotice) throws(DeviceError) {
      // The event does not connect a moved device with its previous path, so all devices are
      // listed.
      guard case .event(let event) = notice, event.action != .move, let path = event.sysfsPath
      else { return try list() }
      let enumerator = enumerator
      pending = try inventory.apply(event, at: path) {
        (path, subsystem) throws(DeviceError) in
        try enumerator.device(at: path, subsystem: subsystem)
      }
      .reversed()
    }

    private mutating func list() throws(DeviceError) {
      var devices: [DeviceFacts] = []
      for subsystem in subsystems { devices += try enumerator.devices(inSubsystem: subsystem) }
      pending = inventory.replace(with: devices).reversed()
    }
  }
}
