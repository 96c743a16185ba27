internal import AccessModel
internal import Synchronization

/// Wakes a watch when devices come, go or change.
///
/// Its events only say when to look.
final class DeviceSignals: Sendable {
  private let session: DeviceMonitorSession
  private let roots: MachineRoots
  private let missing = Mutex<[Unobserved]>([])

  /// Starts to receive; a source that is missing is a gap.
  init(_ subsystems: Set<String>, roots: MachineRoots, _ signal: AsyncStream<Void>.Continuation) {
    self.roots = roots
    session = DeviceMonitorSession(subsystems, roots: roots, signal)
    receive { () throws(Errno) in try session.start() }
  }

  /// The subsystems whose devices an answer about some targets can depend on.
  static func subsystems(of targets: [Question.Target]) -> Set<String> {
    var subsystems: Set<String> = []
    for target in targets {
      switch target {
      case .kind(.camera): subsystems.formUnion(["video4linux", "media", "usb"])
      case .kind(let kind): subsystems.formUnion([kind.subsystem].compactMap(\.self))
      case .path(let path):
        // What a link elsewhere leads to is watched as a file.
        guard path.hasPrefix("/dev/") else { continue }
        subsystems.formUnion(DeviceKind.all.compactMap(\.subsystem))
      }
    }
    return subsystems
  }

  /// Why events may be missed.
  var gaps: [Unobserved] { missing.withLock { $0 } }

  /// Takes the events, and opens another socket where the one before hears nothing any more, so
  /// that what is seen afterwards is not missed.
  ///
  /// - Returns: Whether anything was told.
  func take() -> Bool {
    var isTold = false
    var needsSocket = false
    while let notice = session.mailbox.take() {
      isTold = true
      if notice == .lost(.socket) || notice == .lost(.daemon) { needsSocket = true }
    }
    if needsSocket { receive { () throws(Errno) in try session.openSocket() } }
    return isTold
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
      gaps.append(Unobserved("device-events", reason: "no udev daemon is seen to run"))
    }
    missing.withLock { $0 = gaps }
  }
}
