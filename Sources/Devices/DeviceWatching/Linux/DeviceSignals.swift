internal import AccessModel
internal import LinuxDevices
internal import Synchronization

/// Wakes a watch when devices are added, removed or changed.
///
/// The events determine which questions are observed again, and which cached devices are forgotten.
final class DeviceSignals: Sendable {
  /// The events since the last call of ``DeviceSignals/take()``.
  struct Reported: Equatable, Sendable {
    /// The device events, in order.
    var events: [DeviceEvent] = []
    /// A Boolean value that indicates whether other events may have been lost.
    var isLost = false

    /// No events.
    static let none = Self()
  }

  private let session: DeviceMonitorSession
  private let missing = Mutex<[Unobserved]>([])

  /// Starts to receive events; a missing source is recorded as a gap.
  init(_ subsystems: Set<String>, roots: MachineRoots, _ signal: AsyncStream<Void>.Continuation) {
    session = DeviceMonitorSession(subsystems, roots: roots, signal)
    receive { () throws(Errno) in try session.start() }
  }

  /// Returns the subsystems whose devices can affect the answer about a target.
  static func subsystems(of target: Question.Target) -> Set<String> {
    switch target {
    case .kind(let kind):
      let bus = kind.isFoundOnUSB ? DeviceKind.usb.subsystem : nil
      // The media controller of a camera is a separate device.
      return Set([kind.subsystem, bus, kind == .camera ? "media" : nil].compactMap(\.self))
    case .path(let path):
      // If the path is a link outside of /dev, its target is watched as a file.
      return path.hasPrefix("/dev/") ? Set(DeviceKind.all.compactMap(\.subsystem)) : []
    }
  }

  /// The reasons why events may be missed.
  var gaps: [Unobserved] { missing.withLock { $0 } }

  /// Returns the pending events, and replaces a socket that no longer receives any.
  ///
  /// The new socket is opened before the caller scans again, so no later change is missed.
  ///
  /// - Returns: The events.
  func take() -> Reported {
    var reported = Reported.none
    var needsSocket = false
    while let notice = session.take() {
      switch notice {
      case .event(let event): reported.events.append(event)
      case .lost(let loss):
        reported.isLost = true
        if loss == .socket || loss == .daemon { needsSocket = true }
      }
    }
    if needsSocket { receive { () throws(Errno) in try session.openSocket() } }
    return reported
  }

  func end() { session.end() }

  private func receive(_ open: () throws(Errno) -> Void) {
    var gaps: [Unobserved] = []
    do throws(Errno) {
      try open()
    } catch {
      gaps.append(Unobserved("device-events", reason: error.reason))
    }
    // Without the daemon, only the kernel's events arrive, and in a container often none.
    if session.hasDaemon != true {
      gaps.append(Unobserved("device-events", reason: "no running udev daemon was found"))
    }
    missing.withLock { $0 = gaps }
  }
}
