/// A process that holds a device.
///
/// Names come from the process itself and are untrusted: any program can call itself `firefox`.
public struct HoldingProcess: Hashable, Sendable {
  /// The process ID.
  public var id: Int32
  /// The start time in clock ticks since boot.
  ///
  /// Together with the ID, it identifies the process until the machine restarts.
  public var startTicks: UInt64?
  /// The start time in seconds since the epoch.
  public var started: Int64?
  /// The command name, which has at most 15 bytes.
  public var name: String
  /// The ID of the effective user.
  public var user: UInt32?
  /// The name of ``user``; `nil` if the account database has none.
  public var userName: String?
  /// The path of the program, as seen from the process's own root directory.
  public var executable: String?
  /// A Boolean value that indicates whether the program is part of the system; `nil` if not
  /// recorded.
  ///
  /// Such a program belongs to root, no other user can write to it, and its path is in a directory
  /// for system programs and leads to the same file from here.
  public var isOfSystem: Bool?
  /// The systemd unit, such as `motion.service`.
  ///
  /// For a program in a login session, it is the program's own unit there, such as
  /// `app-firefox.scope`.
  public var unit: String?
  /// The ID of the user whose service manager runs the unit; `nil` for a unit of the system.
  ///
  /// The user can choose any name for such a unit.
  public var unitUser: UInt32?
  /// The engine of the container that the process runs in, such as `docker`; `nil` if none was
  /// detected.
  public var container: String?
  /// The name or ID of the container that the engine uses.
  public var containerName: String?
  /// The ID of the desktop application, flatpak or snap that the process belongs to.
  public var application: String?

  /// Creates a process with only an ID and a name.
  public init(id: Int32, name: String) {
    self.id = id
    self.name = name
  }

  /// A Boolean value that indicates whether the process is a media server, which opens devices for
  /// other programs.
  ///
  /// Its clients are the real users, and only the media server itself can identify them. A program
  /// with the same name that is not part of the system does not count.
  public var isMediaServer: Bool {
    isSessionManager || isOfSystem != false && Self.mediaServers.contains(program ?? name)
  }

  /// A Boolean value that indicates whether the process is the session manager of a media server.
  ///
  /// A session manager manages devices and keeps some of them open to watch their controls. It
  /// never streams itself.
  public var isSessionManager: Bool {
    // The kernel truncates a command name to 15 bytes.
    isOfSystem != false
      && (Self.sessionManagers.contains(program ?? name)
        || program == nil && name == "pipewire-media-")
  }

  /// A Boolean value that indicates whether the process is the PipeWire daemon itself.
  package var isPipeWire: Bool { isOfSystem != false && (program ?? name) == "pipewire" }

  /// The file name of the program, without the suffix that the kernel adds to a replaced file.
  private var program: String? {
    executable?.parts(at: "/").last.map { name in
      String(name.hasSuffix(Self.deleted) ? name.dropLast(Self.deleted.count) : name)
    }
  }

  /// The suffix that the kernel adds to the path of a deleted file (`d_path` in fs/d_path.c).
  package static let deleted = " (deleted)"

  /// Returns whether the process has changed its program or its user since an earlier observation.
  func isOther(than before: HoldingProcess) -> Bool {
    if let user, let earlier = before.user, user != earlier { return true }
    guard let program, let earlier = before.program else { return false }
    return program != earlier
  }

  private static let mediaServers: Set<String> = ["pipewire", "pipewire-pulse", "pulseaudio"]
  private static let sessionManagers: Set<String> = ["wireplumber", "pipewire-media-session"]
}

extension HoldingProcess: Codable {
  private enum Keys: String, CodingKey {
    case id = "pid"
    case startTicks = "start_ticks"
    case started
    case name
    case user = "uid"
    case userName = "user"
    case executable
    case isOfSystem = "of_system"
    case unit
    case unitUser = "unit_uid"
    case container
    case containerName = "container_name"
    case application
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Keys.self)
    id = try values.decode(Int32.self, forKey: .id)
    startTicks = try values.decodeIfPresent(UInt64.self, forKey: .startTicks)
    started = try values.decodeIfPresent(Int64.self, forKey: .started)
    name = try values.decode(String.self, forKey: .name)
    user = try values.decodeIfPresent(UInt32.self, forKey: .user)
    userName = try values.decodeIfPresent(String.self, forKey: .userName)
    executable = try values.decodeIfPresent(String.self, forKey: .executable)
    isOfSystem = try values.decodeIfPresent(Bool.self, forKey: .isOfSystem)
    unit = try values.decodeIfPresent(String.self, forKey: .unit)
    unitUser = try values.decodeIfPresent(UInt32.self, forKey: .unitUser)
    container = try values.decodeIfPresent(String.self, forKey: .container)
    containerName = try values.decodeIfPresent(String.self, forKey: .containerName)
    application = try values.decodeIfPresent(String.self, forKey: .application)
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Keys.self)
    try values.encode(id, forKey: .id)
    try values.encodeIfPresent(startTicks, forKey: .startTicks)
    try values.encodeIfPresent(started, forKey: .started)
    try values.encode(name, forKey: .name)
    try values.encodeIfPresent(user, forKey: .user)
    try values.encodeIfPresent(userName, forKey: .userName)
    try values.encodeIfPresent(executable, forKey: .executable)
    try values.encodeIfPresent(isOfSystem, forKey: .isOfSystem)
    try values.encodeIfPresent(unit, forKey: .unit)
    try values.encodeIfPresent(unitUser, forKey: .unitUser)
    try values.encodeIfPresent(container, forKey: .container)
    try values.encodeIfPresent(containerName, forKey: .containerName)
    try values.encodeIfPresent(application, forKey: .application)
  }
}
