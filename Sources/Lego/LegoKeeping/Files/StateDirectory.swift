internal import CLinux
internal import Glibc
internal import JSONText

/// The directory in which a program keeps its state.
public struct StateDirectory: Hashable, Sendable {
  enum Place: Hashable, Sendable {
    case standard(program: String?)
    case path(String)
  }

  let place: Place

  /// The standard directory of this program.
  ///
  /// The directory has the name of the executable. Its parent is the first of these that is
  /// available:
  ///
  /// - the first directory in `$STATE_DIRECTORY`, which systemd sets for a unit with
  ///   `StateDirectory=`
  /// - `$XDG_STATE_HOME`
  /// - `~/.local/state`
  ///
  /// A relative path in the environment is ignored. If the program has more privileges than the
  /// user who started it (set-user-ID, set-group-ID, or file capabilities), the whole environment is
  /// ignored.
  public static let standard = StateDirectory(place: .standard(program: nil))

  /// Returns the standard directory for a program with the given name.
  ///
  /// - Parameter program: The name to use instead of the name of the executable.
  /// - Returns: The directory.
  public static func standard(program: String) -> StateDirectory {
    StateDirectory(place: .standard(program: program))
  }

  /// Returns the directory with the given absolute path.
  ///
  /// If the directory does not exist, it is created so that only the user can access it. An existing
  /// directory must belong to the user, and other users must not be able to write to it. A relative
  /// path causes the error ``KeepingError/Code/noDirectory``.
  public static func path(_ path: String) -> StateDirectory {
    StateDirectory(place: .path(path))
  }

  /// Returns the path of the directory, or `nil` if it cannot be determined.
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

/// The properties of a process that determine the path of its state directory.
package struct ProcessEnvironment: Sendable {
  /// Returns the value of an environment variable, or `nil` if it is not set or the environment is
  /// not trusted.
  package var variable: @Sendable (String) -> String?
  /// The user's home directory, according to the user database.
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

  /// A Boolean value that indicates whether the program has more privileges than the user who
  /// started it, because of set-user-ID, set-group-ID, or file capabilities.
  static var hasRaisedPrivileges: Bool { clinux_is_raised() }

  /// The environment of this process.
  package static var current: ProcessEnvironment {
    // The user who starts a privileged program controls its environment, but must not control the
    // path.
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
    // The kernel adds this suffix if the file was deleted or replaced after the program started.
    let mark = " (deleted)"
    let name = path.split(separator: "/").last.map(String.init)
    return name.map { $0.hasSuffix(mark) ? String($0.dropLast(mark.count)) : $0 }
  }
}

/// Opens the state directory safely, and creates it if it does not exist.
enum TrustedDirectory {
  /// Opens a directory that belongs to this user.
  ///
  /// Missing directories are created with mode 0700. An existing directory keeps its mode. The last
  /// directory must not be a symbolic link, and other users must not be able to write to it.
  /// Symbolic links earlier in the path are followed, except in a directory that every user can
  /// write to.
  ///
  /// If the user is root, every directory in the path must belong to root, because another owner
  /// could redirect the path. If the program has raised privileges, every directory must belong to
  /// root or the user, and symbolic links in the user's directories are not followed.
  ///
  /// - Parameters:
  ///   - path: The absolute path of the directory.
  ///   - file: The path of the kept file, for error messages.
  /// - Throws: `.noDirectory` if the directory cannot be opened, or `.unsafeDirectory` if another
  ///   user could change it.
  /// - Returns: The descriptor of the directory.
  static func open(_ path: String, for file: String) throws(KeepingError) -> Descriptor {
    let user = geteuid()
    var names = path.split(separator: "/").map(String.init)[...]
    guard let last = names.popLast() else {
      throw KeepingError(.noDirectory, file, "the root directory cannot be the state directory")
    }
    var reached = ""
    do {
      var directory = try Descriptor.open("/", in: AT_FDCWD, pathOnly)
      // `true` if an untrusted user could create a link in the directory to redirect the path.
      var isShared = false
      for name in names {
        reached += "/" + name
        // Symbolic links are followed, except in directories where an untrusted user can create
        // links.
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
        // The permission is not removed here, because other programs may need it, as in `/tmp`.
        throw KeepingError(
          .unsafeDirectory, file,
          "\(JSONQuotes.escaped(reached, limit: 4_096)) is writable by other users; "
            + "remove that permission (chmod go-w), or choose another directory")
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

  /// Opens a subdirectory, creating it if it does not exist.
  private static func enter(
    _ name: String, of directory: borrowing Descriptor, _ flags: Int32, followsLinks: Bool
  ) throws(SystemCallError) -> Descriptor {
    let parent = directory.number
    do {
      return try Descriptor.open(name, in: parent, flags, followsLinks: followsLinks)
    } catch {
      if error.errno != ENOENT { throw error }
    }
    // Another process may create the directory at the same time.
    if unsafe mkdirat(parent, name, 0o700) != 0, errno != EEXIST { throw .current("mkdir") }
    return try Descriptor.open(name, in: parent, flags, followsLinks: followsLinks)
  }
}
