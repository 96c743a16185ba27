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
  /// That is the case if it is the caller's root directory, or if its filesystem is served neither
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

/// The facts about a process that the name of its control group reveals.
struct HolderGroup: Hashable, Sendable {
  /// The systemd unit; in a login session, the user's unit instead of the user manager.
  var unit: String?
  /// The ID of the user whose manager runs the unit.
  var unitUser: UInt32?
  /// The engine of the container that contains the process.
  var container: String?
  /// The ID or name of the container.
  var containerName: String?
  /// The ID of the desktop application, flatpak or snap.
  var application: String?

  init(path: String) {
    let parts = path.parts(at: "/")
    let manager = parts.firstIndex { $0.hasPrefix("user@") && $0.hasSuffix(".service") }
    let inner = manager.flatMap { parts[($0 + 1)...].first(where: Self.isUnit) }
    if let manager, inner != nil {
      unitUser = UInt32(parts[manager].dropFirst("user@".count).dropLast(".service".count))
    }
    unit = (inner ?? parts.first(where: Self.isUnit)).map(Self.unescaped)
    container = ContainerObserver.engine(inControlGroup: path)
    if container != nil {
      containerName = parts.reversed().lazy.compactMap(Self.containerName).first
    }
    application =
      parts.reversed().lazy.compactMap { Self.application(in: Self.unescaped($0)) }.first
  }

  private static func isUnit(_ part: Substring) -> Bool {
    part.hasSuffix(".service") || part.hasSuffix(".scope")
  }

  /// Removes the `_` that systemd puts before a name that could be a kernel file (`cg_escape`).
  private static func unescaped(_ part: Substring) -> String {
    String(part.hasPrefix("_") ? part.dropFirst() : part)
  }

  private static func containerName(_ part: Substring) -> String? {
    for prefix in ["docker-", "libpod-", "crio-", "cri-containerd-"] where part.hasPrefix(prefix) {
      let name = part.dropFirst(prefix.count)
      return String(name.hasSuffix(".scope") ? name.dropLast(6) : name)
    }
    if part.hasPrefix("lxc.payload.") { return String(part.dropFirst(12)) }
    if part.hasPrefix("machine-"), part.hasSuffix(".scope") {
      return String(part.dropFirst(8).dropLast(6))
    }
    let isID = part.utf8.count == 64 && part.allSatisfy(\.isHexDigit)
    return isID ? String(part) : nil
  }

  /// Returns the application of a snap, or of a unit that a desktop created.
  ///
  /// The names follow systemd's conventions, such as `app-LAUNCHER-ID-RANDOM.scope`.
  private static func application(in unit: String) -> String? {
    if unit.hasPrefix("snap.") {
      let parts = unit.split(separator: ".")
      return parts.count > 2 ? String(parts[1]) : nil
    }
    guard unit.hasPrefix("app-") else { return nil }
    var stem = unit.dropFirst(4)
    if stem.hasSuffix(".scope") {
      // The last part is a number or a random word.
      guard let dash = stem.lastIndex(of: "-") else { return nil }
      stem = stem[..<dash]
    } else if stem.hasSuffix(".service") {
      stem = stem.dropLast(8)
      stem = stem.firstIndex(of: "@").map { stem[..<$0] } ?? stem
    } else {
      return nil
    }
    let name = stem.split(separator: "-").last.map(String.init)?.replacing("\\x2d", with: "-")
    return name.flatMap { $0.isEmpty ? nil : $0 }
  }
}

/// Determines whether a process's program belongs to the system and its name can be trusted.
///
/// In a private mount namespace, a user can mount any system program under any name. Therefore the
/// path must also lead to the same file in this process's namespace, in a directory that only root
/// can change.
struct ProgramOrigin {
  /// The path of the program in the process's own root directory.
  let path: String

  /// The directories that contain system programs.
  ///
  /// In other directories, users may have mounted a filesystem that does not respond, and
  /// inspecting the path would block.
  private static let places = [
    "/usr/", "/bin/", "/sbin/", "/lib/", "/lib64/", "/opt/", "/snap/", "/nix/store/", "/gnu/store/",
  ]

  /// Returns whether the program belongs to root and cannot be changed or replaced by other users.
  ///
  /// - Parameters:
  ///   - name: The name of the link to the program.
  ///   - directory: A descriptor of the folder that contains the link.
  /// - Returns: A Boolean value, or `nil` if the link of a recorded process leads nowhere.
  func isSystem(of name: String, in directory: Int32) -> Bool? {
    let file: OpenFile
    do throws(Errno) {
      file = try OpenFile(following: name, in: directory)
    } catch {
      // If the file cannot be inspected, it is not trusted.
      return error == .noSuchFile ? nil : false
    }
    return (try? isSystem(file, in: directory)) ?? false
  }

  private func isSystem(_ file: OpenFile, in directory: Int32) throws(Errno) -> Bool {
    guard Self.places.contains(where: path.hasPrefix) else { return false }
    let map = try BoundedFile.read("/proc/thread-self/uid_map", limit: 4096)
    guard let users = IDMap(parsing: map.bytes) else { return false }
    let mapping = users.isIdentity ? nil : IDMapping(users: users, groups: users)
    func isRoots(_ file: OpenFile) -> Bool {
      // In a user namespace, root may be an ordinary user, and the system's root is then an
      // unmapped ID.
      var translator = IDTranslator(namespace: mapping)
      let owner = translator.user(file.owner)
      return (owner == 0 || translator.metOverflow)
        && file.permissions & (S_IWGRP | S_IWOTH) == 0
    }
    // An update has replaced the file, so the kernel adds a suffix to the path of the deleted file.
    let isReplaced = file.links == 0 && path.hasSuffix(HoldingProcess.deleted)
    let path = isReplaced ? String(path.dropLast(HoldingProcess.deleted.count)) : path
    if isReplaced {
      // In another mount namespace, the deleted file could have been any file that was mounted at
      // the path.
      let mounts = try OpenFile(following: "/proc/thread-self/ns/mnt", in: AT_FDCWD)
      guard try OpenFile(following: "ns/mnt", in: directory).identity == mounts.identity else {
        return false
      }
    }
    let own = try OpenFile(following: path, in: AT_FDCWD)
    guard isRoots(file), isReplaced ? isRoots(own) : own.identity == file.identity else {
      return false
    }
    return isRoots(try OpenFile(following: AbsolutePath.parent(of: path), in: AT_FDCWD))
  }
}
