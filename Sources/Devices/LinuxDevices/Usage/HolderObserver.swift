internal import AccessModel
internal import Glibc

/// Reads the facts of a process that holds a device, from its folder in `/proc`.
///
/// Every user can read all of them except the path of the program.
struct HolderObserver: Sendable {
  let clock: MachineClock
  /// The identity of this process's root directory.
  private let root = (try? OpenFile(following: "/", in: AT_FDCWD))?.identity

  init(clock: MachineClock) { self.clock = clock }

  /// Returns the facts of a process.
  ///
  /// - Parameters:
  ///   - number: The process ID.
  ///   - directory: A descriptor of the process's folder, which ensures that all facts belong to
  ///     the same process.
  /// - Returns: The process, with the facts that could be read.
  /// - Throws: `ESRCH` or `ENOENT` if the process has ended.
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
      // The link is not readable, or the first thread has ended. A program can choose any name, and
      // only its file would reveal its origin.
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
    // The description in a flatpak's root directory is more reliable than a name.
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

  /// Returns whether a process's root directory can be read without blocking.
  ///
  /// That is the case if it is the caller's root directory, or if its filesystem is neither served
  /// by a program nor by another machine.
  private func mayBeFlatpak(_ directory: Int32) -> Bool {
    if let root, root == (try? OpenFile(following: "root", in: directory))?.identity { return true }
    let mounts = try? BoundedFile.read("mountinfo", in: directory, limit: 1 << 22)
    let root = mounts.flatMap { MountTable(parsing: $0.bytes).last(at: "/") }
    return root?.isDistant == false
  }

  /// Returns the contents of `stat`, or `nil` if the file is malformed.
  ///
  /// - Throws: `ESRCH` or `ENOENT` if the process has ended.
  static func stat(in directory: Int32) throws(Errno) -> ProcessStat? {
    ProcessStat(parsing: try BoundedFile.read("stat", in: directory, limit: 8192).bytes)
  }

  /// Returns whether a process is running and at least one of its threads is not exiting.
  ///
  /// An exiting process closes its files by itself. For some milliseconds before that, only root
  /// may inspect it, because the kernel calls exit_mm before exit_files.
  ///
  /// - Parameters:
  ///   - process: The process. A different start time means that its ID was reused.
  ///   - proc: The mount point of procfs.
  /// - Returns: A Boolean value, which is `false` if the state cannot be determined.
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
  /// A Boolean value that indicates whether the inspected process, thread or descriptor no longer
  /// exists.
  var isOfEndedProcess: Bool { self == .noSuchFile || self == .noSuchProcess }
}
