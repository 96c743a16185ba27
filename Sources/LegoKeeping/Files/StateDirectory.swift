internal import CLinux
internal import Glibc
internal import JSONText

/// Where programs keep their state.
public struct StateDirectory: Hashable, Sendable {
  enum Place: Hashable, Sendable {
    case standard(program: String?)
    case path(String)
  }

  let place: Place

  /// The standard directory of this program.
  ///
  /// It is a directory named for the program in the first of `$STATE_DIRECTORY`, which systemd sets
  /// for a unit with `StateDirectory=`; else in `$XDG_STATE_HOME`, if that is an absolute path;
  /// else in `~/.local/state`. A program that runs with other rights than those of the user who started
  /// it (set-user-ID, file capabilities) does not look at the environment.
  public static let standard = StateDirectory(place: .standard(program: nil))

  /// The standard directory of a program.
  ///
  /// - Parameter program: The name of the directory in place of that of the executable.
  /// - Returns: The directory.
  public static func standard(program: String) -> StateDirectory {
    StateDirectory(place: .standard(program: program))
  }

  /// A directory by its absolute path, which is made if it is missing.
  ///
  /// One that is there must belong to the user, and nobody else may write to it.
  public static func path(_ path: String) -> StateDirectory {
    StateDirectory(place: .path(path))
  }

  /// The path of the directory, or `nil` when none is known.
  package func path(in environment: ProcessEnvironment) -> String? {
    switch place {
    case .path(let path):
      return path.hasPrefix("/") ? path : nil
    case .standard(let program):
      guard let name = program ?? environment.program, FileName.isPlain(name),
        let base = Self.base(in: environment)
      else { return nil }
      return base + "/" + name
    }
  }

  private static func base(in environment: ProcessEnvironment) -> String? {
    if let list = environment.variable("STATE_DIRECTORY") {
      let first = list.prefix { $0 != ":" }
      if first.hasPrefix("/") { return String(first) }
    }
    if let path = environment.variable("XDG_STATE_HOME"), path.hasPrefix("/") { return path }
    let home = environment.variable("HOME") ?? environment.home
    guard let home, home.hasPrefix("/") else { return nil }
    return home + "/.local/state"
  }
}

/// What the path of a state directory depends on.
package struct ProcessEnvironment: Sendable {
  /// The value of an environment variable, if it may be looked at.
  package var variable: @Sendable (String) -> String?
  /// The user's home directory by the account.
  package var home: String?
  /// The name of the executable.
  package var program: String?

  package init(
    variable: @escaping @Sendable (String) -> String?, home: String?, program: String?
  ) {
    self.variable = variable
    self.home = home
    self.program = program
  }

  /// Whether the program was given more rights than those of the user who started it, by set-user-ID or by
  /// file capabilities.
  static var hasRaisedPrivileges: Bool { clinux_is_raised() }

  /// Those of this process.
  package static var current: ProcessEnvironment {
    // The user who starts such a program chooses the environment, and must not choose the path.
    let isTrusted = !hasRaisedPrivileges && getuid() == geteuid() && getgid() == getegid()
    return ProcessEnvironment(
      variable: { name in
        guard isTrusted, let value = unsafe getenv(name) else { return nil }
        return unsafe String(cString: value)
      },
      home: accountHome(), program: executableName())
  }

  private static func accountHome() -> String? {
    var entry = unsafe passwd()
    var found: UnsafeMutablePointer<passwd>? = nil
    var buffer = [CChar](repeating: 0, count: 16_384)
    let count = buffer.count
    let status = unsafe getpwuid_r(geteuid(), &entry, &buffer, count, &found)
    guard status == 0, unsafe found != nil, let home = unsafe entry.pw_dir else { return nil }
    return unsafe String(cString: home)
  }

  private static func executableName() -> String? {
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = unsafe buffer.withUnsafeMutableBytes { bytes -> Int in
      guard let base = bytes.baseAddress else { return 0 }
      let text = unsafe base.assumingMemoryBound(to: CChar.self)
      return unsafe readlink("/proc/self/exe", text, bytes.count)
    }
    let path =
      count > 0
      ? String(decoding: buffer[..<count], as: UTF8.self) : CommandLine.arguments.first ?? ""
    // The kernel adds this where the file was replaced since the program was started.
    let mark = " (deleted)"
    let name = path.split(separator: "/").last.map(String.init)
    return name.map { $0.hasSuffix(mark) ? String($0.dropLast(mark.count)) : $0 }
  }
}

/// Opens the directory of the state, and makes what is missing of it.
enum TrustedDirectory {
  /// Opens a directory that belongs to this user.
  ///
  /// The last directory is made with mode 0700. One that is there is left as it is; it must not be a
  /// symbolic link, and nobody else may write to it. For the superuser each directory on the way has to
  /// belong to the superuser: whoever owns one could lead the walk elsewhere. A program with other
  /// rights than those of who started it accepts the user's own, too, and follows no link in them.
  ///
  /// - Parameters:
  ///   - path: The absolute path.
  ///   - file: The path of the kept file, for errors.
  /// - Throws: `.noDirectory` or `.unsafeDirectory`.
  /// - Returns: The directory.
  static func open(_ path: String, for file: String) throws(KeepingError) -> Descriptor {
    let user = geteuid()
    var names = path.split(separator: "/").map(String.init)[...]
    guard let last = names.popLast() else {
      throw KeepingError(.noDirectory, file, "the root directory is not one for state")
    }
    var reached = ""
    do {
      var directory = try Descriptor.open("/", in: AT_FDCWD, pathOnly)
      // Whether somebody may put a link there to lead the walk astray.
      var isShared = false
      for name in names {
        reached += "/" + name
        // A link is somebody's choice of a place, but not where anybody may put one.
        directory = try enter(name, of: directory, pathOnly, followsLinks: !isShared)
        let status = try directory.status()
        let isOwn = status.st_uid == 0 || status.st_uid == user
        if user == 0 || ProcessEnvironment.hasRaisedPrivileges, !isOwn {
          throw KeepingError(.unsafeDirectory, file, owner(of: reached, status))
        }
        isShared =
          status.st_mode & 0o002 != 0
          || (ProcessEnvironment.hasRaisedPrivileges && status.st_uid != 0)
      }
      reached += "/" + last
      directory = try enter(last, of: directory, O_RDONLY | O_DIRECTORY, followsLinks: false)
      let status = try directory.status()
      if status.st_uid != user {
        throw KeepingError(.unsafeDirectory, file, owner(of: reached, status))
      }
      if status.st_mode & 0o022 != 0 {
        // It may serve others as well, as /tmp does.
        throw KeepingError(
          .unsafeDirectory, file,
          "\(JSONQuotes.escaped(reached, limit: 4_096)) may be written to by others; "
            + "take that away (chmod go-w), or choose another directory")
      }
      return directory
    } catch let error as KeepingError {
      throw error
    } catch {
      throw KeepingError(
        .noDirectory, file, "\(JSONQuotes.escaped(reached, limit: 4_096)): \(error)",
        errno: (error as? SystemCallError)?.errno)
    }
  }

  private static let pathOnly = __O_PATH | O_DIRECTORY

  private static func owner(of path: String, _ status: stat) -> String {
    "\(JSONQuotes.escaped(path, limit: 4_096)) belongs to user \(status.st_uid)"
  }

  /// Opens a directory in another one, and makes it if it is missing.
  private static func enter(
    _ name: String, of directory: borrowing Descriptor, _ flags: Int32, followsLinks: Bool
  ) throws(SystemCallError) -> Descriptor {
    let parent = directory.number
    do {
      return try Descriptor.open(name, in: parent, flags, followsLinks: followsLinks)
    } catch {
      if error.errno != ENOENT { throw error }
    }
    // Somebody else may make it at the same time.
    if unsafe mkdirat(parent, name, 0o700) != 0, errno != EEXIST { throw .current("mkdir") }
    return try Descriptor.open(name, in: parent, flags, followsLinks: followsLinks)
  }
}
