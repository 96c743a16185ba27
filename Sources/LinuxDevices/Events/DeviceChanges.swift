internal import AccessModel

/// The devices of some subsystems: those that are there, and from then on every difference.
///
/// The kernel's list is the truth, and events only say when to look at it again. After a loss of
/// events, a sleep of the system and a start of the udev daemon all devices are listed, and the
/// differences told, so that a consumer who applies every element ends with what the kernel has.
public struct DeviceChanges: AsyncSequence, Sendable {
  public typealias Element = DeviceChange
  public typealias Failure = DeviceError

  private let monitor: DeviceMonitor
  private let subsystems: [String]
  private let roots: MachineRoots

  /// Starts to receive events; the devices are listed when the first element is asked for.
  ///
  /// - Parameters:
  ///   - subsystems: The subsystems in udev's words; those of all kinds unless given.
  ///   - roots: Where sysfs and the state of the udev daemon are.
  /// - Throws: `unavailable` when no events can be received, `exhausted` without descriptors.
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

  /// Takes changes one at a time.
  public struct Iterator: AsyncIteratorProtocol {
    var notices: DeviceMonitor.Iterator
    let subsystems: [String]
    let enumerator: DeviceEnumerator
    private var inventory = DeviceInventory()
    private var isListed = false
    /// Those that are still to be told, the next one last.
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
    /// - Throws: `unavailable` when the devices cannot be listed or no events be received,
    ///   `exhausted` without descriptors.
    /// - Returns: The change; `nil` once the task is cancelled.
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
      // A device that moves has another path from then on, which its event alone does not tie to
      // the one before.
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
