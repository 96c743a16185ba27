internal import AccessModel
internal import Glibc

/// Reads the process that holds a device, from its folder below `/proc`.
///
/// Every user can read all of it except the path of the program.
struct HolderObserver: Sendable {
  let clock: MachineClock
  /// The root directory of the caller.
  private let root = (try? OpenFile(following: "/", in: AT_FDCWD))?.identity

  init(clock: MachineClock) { self.clock = clock }

  /// Returns the facts of a process.
  ///
  /// - Parameters:
  ///   - number: The process ID.
  ///   - directory: Its folder, held open: everything in it belongs to one process.
  /// - Throws: `ESRCH` or `ENOENT` if the process has ended.
  /// - Returns: The process, with the facts that could be read.
  func process(_ number: Int32, in directory: Int32) throws(Errno) -> HoldingProcess {
    let stat = try Self.stat(in: directory)
    var process = HoldingProcess(id: number, name: stat?.name ?? "")
    process.startTicks = stat?.startTicks
    process.started = stat.flatMap { clock.date(ofTicks: $0.startTicks) }
    if let status = try? BoundedFile.read("status", in: directory, limit: 1 << 20) {
      // The effective user, as ps(1) shows it.
      process.user = ThreadStatus(parsing: status.bytes).users?[1]
    }
    process.executable = Self.link("exe", in: directory)
    if let path = process.executable {
      process.isOfSystem = ProgramOrigin(path: path).isSystem(of: "exe", in: directory)
    } else {
      // The link is not readable, or the first thread has ended. A program can give itself any
      // name, and only its file would show its origin.
      process.isOfSystem = false
    }
    if process.name.isEmpty {
      // Any program can set an empty name.
      process.name = process.executable.flatMap { AbsolutePath.components(of: $0).last } ?? "?"
    }
    if let contents = try? BoundedFile.read("cgroup", in: directory, limit: 1 << 16) {
      let groups = ControlGroups(parsing: contents.bytes)
      let group = HolderGroup(path: groups.unified ?? groups.systemd ?? "")
      process.unit = group.unit
      process.unitUser = group.unitUser
      process.container = group.container
      process.containerName = group.containerName
      process.application = group.application
    }
    // The description inside a flatpak is more reliable than a name.
    if mayBeFlatpak(directory),
      let file = try? ForeignFile(user: process.user, limit: 1 << 18)
        .read("/.flatpak-info", below: "root", in: directory),
      let application = ContainerObserver.flatpak(parsing: file.bytes)
    {
      process.container = "flatpak"
      process.application = application.name
    }
    return process
  }

  /// Returns `true` if reading the root directory of a process cannot block.
  ///
  /// The root is the caller's own, or neither a program nor another machine serves its filesystem.
  private func mayBeFlatpak(_ directory: Int32) -> Bool {
    if let root, root == (try? OpenFile(following: "root", in: directory))?.identity { return true }
    let mounts = try? BoundedFile.read("mountinfo", in: directory, limit: 1 << 22)
    let root = mounts.flatMap { MountTable(parsing: $0.bytes).last(at: "/") }
    return root?.isDistant == false
  }

  /// Returns the contents of `stat`; `nil` if the file is malformed.
  ///
  /// - Throws: `ESRCH` or `ENOENT` if the process has ended.
  static func stat(in directory: Int32) throws(Errno) -> ProcessStat? {
    ProcessStat(parsing: try BoundedFile.read("stat", in: directory, limit: 8192).bytes)
  }

  /// Returns `true` if a process runs, and not all of its threads have begun to end.
  ///
  /// For some milliseconds, only root may inspect a process that ends (the kernel calls exit_mm
  /// before exit_files). It then closes its open files without further action.
  ///
  /// - Parameters:
  ///   - process: The process; a different start time means another process with the same ID.
  ///   - proc: The mount point of procfs.
  /// - Returns: The answer; `false` also if it cannot be determined.
  static func isRunning(_ process: HoldingProcess, proc: String) -> Bool {
    let path = "\(proc)/\(process.id)"
    guard let ticks = process.startTicks, let folder = try? OpenDirectory(path),
      let leader = (try? stat(in: folder.descriptor)) ?? nil, leader.startTicks == ticks
    else { return false }
    guard leader.isExiting else { return true }
    // The first thread may end long before the others.
    guard leader.threads > 1, let threads = (try? Directory.names(in: "\(path)/task")) ?? nil else {
      return false
    }
    return threads.contains { name in
      guard let thread = try? OpenDirectory("task/\(name)", in: folder.descriptor) else {
        return false
      }
      return ((try? stat(in: thread.descriptor)) ?? nil).map { !$0.isExiting } ?? false
    }
  }

  private static func link(_ name: String, in directory: Int32) -> String? {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = unsafe readlinkat(directory, name, &buffer, 4096)
    guard count > 0, count < 4096 else { return nil }
    return ByteText(bytes: buffer.prefix(count).map { UInt8(truncatingIfNeeded: $0) }).text
  }
}

extension Errno {
  /// A Boolean value that indicates whether the inspected process, thread or descriptor is gone.
  var isOfEndedProcess: Bool { self == .noSuchFile || self == .noSuchProcess }
}
