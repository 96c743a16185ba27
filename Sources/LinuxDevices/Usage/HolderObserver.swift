internal import AccessModel
internal import Glibc

/// Tells which process holds a device, from its folder below `/proc`.
///
/// Everything but the program's path may be read by everybody.
struct HolderObserver: Sendable {
  let clock: MachineClock
  /// What the caller has at `/`.
  private let root = (try? OpenFile(following: "/", in: AT_FDCWD))?.identity

  init(clock: MachineClock) { self.clock = clock }

  /// What is known of a process.
  ///
  /// - Parameters:
  ///   - number: The process ID.
  ///   - directory: Its folder, held open, so that everything in it is of one process.
  /// - Throws: `ESRCH` or `ENOENT` when it has ended.
  /// - Returns: The process, with what could be read of it.
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
      // It may not be read, or the first thread has ended. Any program calls itself what it likes, and
      // only its file would tell.
      process.isOfSystem = false
    }
    if process.name.isEmpty {
      // Every program may call itself so.
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
    // In a flatpak its own description knows better than a name.
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

  /// Whether a process has the root directory of the caller, or one that no program and no other machine
  /// serves, and so one that answers.
  private func mayBeFlatpak(_ directory: Int32) -> Bool {
    if let root, root == (try? OpenFile(following: "root", in: directory))?.identity { return true }
    let mounts = try? BoundedFile.read("mountinfo", in: directory, limit: 1 << 22)
    let root = mounts.flatMap { MountTable(parsing: $0.bytes).last(at: "/") }
    return root?.isDistant == false
  }

  /// What the process is; `nil` where the file does not have its form.
  ///
  /// - Throws: `ESRCH` or `ENOENT` when it has ended.
  static func stat(in directory: Int32) throws(Errno) -> ProcessStat? {
    ProcessStat(parsing: try BoundedFile.read("stat", in: directory, limit: 8192).bytes)
  }

  /// Whether a process runs, and has not begun to end with all its threads.
  ///
  /// For some milliseconds nobody but root may look into one that ends (exit_mm of the kernel goes before
  /// exit_files), and it closes what it has open without anybody's doing.
  ///
  /// - Parameters:
  ///   - process: The process, which is another one where its start is not the same.
  ///   - proc: Where procfs is.
  /// - Returns: The answer; `false` also where it cannot be told.
  static func isRunning(_ process: HoldingProcess, proc: String) -> Bool {
    let path = "\(proc)/\(process.id)"
    guard let ticks = process.startTicks, let folder = try? OpenDirectory(path),
      let leader = (try? stat(in: folder.descriptor)) ?? nil, leader.startTicks == ticks
    else { return false }
    guard leader.isExiting else { return true }
    // A first thread may end long before the others.
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
  /// Whether the process, the thread or the descriptor that was looked at is no more.
  var isOfEndedProcess: Bool { self == .noSuchFile || self == .noSuchProcess }
}
