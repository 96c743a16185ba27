internal import AccessModel
internal import Synchronization

/// Wakes a watch when devices come, go or change.
///
/// Its events only say when to look.
final class DeviceSignals: Sendable {
  /// What has happened.
  struct Told: Equatable, Sendable {
    /// What happened to devices, in order.
    var events: [DeviceEvent] = []
    /// Whether there may have been other events.
    var isLost = false

    /// Nothing.
    static let none = Self()
  }

  private let session: DeviceMonitorSession
  private let roots: MachineRoots
  private let missing = Mutex<[Unobserved]>([])

  /// Starts to receive; a source that is missing is a gap.
  init(_ subsystems: Set<String>, roots: MachineRoots, _ signal: AsyncStream<Void>.Continuation) {
    self.roots = roots
    session = DeviceMonitorSession(subsystems, roots: roots, signal)
    receive { () throws(Errno) in try session.start() }
  }

  /// The subsystems whose devices an answer about a target can depend on.
  static func subsystems(of target: Question.Target) -> Set<String> {
    switch target {
    case .kind(let kind):
      let bus = kind.isFoundOnUSB ? DeviceKind.usb.subsystem : nil
      // The media controller of a camera is a device of its own.
      return Set([kind.subsystem, bus, kind == .camera ? "media" : nil].compactMap(\.self))
    case .path(let path):
      // What a link elsewhere leads to is watched as a file.
      return path.hasPrefix("/dev/") ? Set(DeviceKind.all.compactMap(\.subsystem)) : []
    }
  }

  /// Why events may be missed.
  var gaps: [Unobserved] { missing.withLock { $0 } }

  /// Takes the events, and opens another socket where the one before hears nothing any more, so
  /// that what is seen afterwards is not missed.
  ///
  /// - Returns: What was told.
  func take() -> Told {
    var told = Told.none
    var needsSocket = false
    while let notice = session.mailbox.take() {
      switch notice {
      case .event(let event): told.events.append(event)
      case .lost(let loss):
        told.isLost = true
        if loss == .socket || loss == .daemon { needsSocket = true }
      }
    }
    if needsSocket { receive { () throws(Errno) in try session.openSocket() } }
    return told
  }

  func end() { session.end() }

  private func receive(_ open: () throws(Errno) -> Void) {
    var gaps: [Unobserved] = []
    do throws(Errno) {
      try open()
    } catch {
      gaps.append(Unobserved("device-events", reason: error.reason))
    }
    // Without the daemon the kernel's own events come, in containers often not even those.
    if UdevDatabase(roots: roots).hasControl != true {
      gaps.append(Unobserved("device-events", reason: "no running udev daemon was found"))
    }
    missing.withLock { $0 = gaps }
  }
}
