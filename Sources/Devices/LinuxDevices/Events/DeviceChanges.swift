public import AccessModel

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

/// A difference between two states of the list of devices.
public enum DeviceChange: Hashable, Sendable {
  /// The device was added.
  case added(DeviceFacts)
  /// The device changed.
  case changed(DeviceFacts)
  /// The device was removed; the value describes its last known state.
  case removed(DeviceFacts)

  /// The device in its current or last known state.
  public var device: DeviceFacts {
    switch self {
    case .added(let device), .changed(let device), .removed(let device): device
    }
  }
}

/// The devices that a consumer knows from the changes it received.
///
/// The inventory compares its devices with the kernel's and does not rely on events. Its content is
/// therefore correct even if events were missed.
struct DeviceInventory {
  private var devices: [String: DeviceFacts] = [:]

  /// Replaces all devices and returns the differences, with removals first.
  mutating func replace(with now: [DeviceFacts]) -> [DeviceChange] {
    let paths = Set(now.map(\.sysfsPath))
    let gone = devices.values.filter { !paths.contains($0.sysfsPath) }
      .sorted { KernelName($0.kernelName) < KernelName($1.kernelName) }
    for device in gone { devices[device.sysfsPath] = nil }
    return gone.map { .removed($0) } + now.compactMap { put($0) }
  }

  /// Inspects the devices that an event affects, and returns the differences.
  ///
  /// These are the device of the event and all known devices below it. Some of their facts, such as
  /// the name of a sound card, may also depend on that device.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - path: The path of the event's device in sysfs.
  ///   - scan: Returns the device with the given path and subsystem; `nil` if it does not exist.
  /// - Throws: The error that `scan` throws.
  /// - Returns: The changes, at most one for each device.
  mutating func apply<Failure>(
    _ event: DeviceEvent, at path: String,
    scan: (_ path: String, _ subsystem: String) throws(Failure) -> DeviceFacts?
  ) throws(Failure) -> [DeviceChange] {
    // The directory of a removed device may exist for a moment after the event.
    let device = event.action == .remove ? nil : try scan(path, event.subsystem)
    let below = path + "/"
    let parts = devices.values.filter { $0.sysfsPath.hasPrefix(below) }
      .sorted { KernelName($0.kernelName) < KernelName($1.kernelName) }
    var seen = [(path, device)]
    for part in parts {
      seen.append((part.sysfsPath, try scan(part.sysfsPath, part.subsystem)))
    }
    // All devices are inspected before any is recorded, because a recorded change must be
    // delivered.
    return seen.flatMap { path, device in
      device.map { [put($0)].compactMap(\.self) } ?? remove(path)
    }
  }

  private mutating func remove(_ path: String) -> [DeviceChange] {
    devices.removeValue(forKey: path).map { [.removed($0)] } ?? []
  }

  private mutating func put(_ device: DeviceFacts) -> DeviceChange? {
    guard let before = devices.updateValue(device, forKey: device.sysfsPath) else {
      return .added(device)
    }
    return before == device ? nil : .changed(device)
  }
}
