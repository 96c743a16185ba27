/// A process that holds a device.
///
/// Names come from the process itself, and are untrusted: any program can call itself `firefox`.
public struct HoldingProcess: Hashable, Sendable {
  /// The process ID.
  public var id: Int32
  /// When it started, in clock ticks since boot: with the ID it names one process for as long as
  /// the machine runs.
  public var startTicks: UInt64?
  /// When it started, in seconds since the epoch.
  public var started: Int64?
  /// The command name, of at most 15 bytes.
  public var name: String
  /// The effective user.
  public var user: UInt32?
  /// The name of ``user``; `nil` where the account database has none.
  public var userName: String?
  /// The path of the program, as the process's own root directory shows it.
  public var executable: String?
  /// Whether the file of the program is the system's; `nil` where that was not recorded.
  ///
  /// It belongs to root then, nobody else may write it, and its path, where the system has its programs, leads to it from here as well.
  public var isOfSystem: Bool?
  /// The systemd unit, such as `motion.service`; for a program of a login session its own unit
  /// there, such as `app-firefox.scope`.
  public var unit: String?
  /// The user whose own manager has the unit, and who gives it any name; `nil` for a unit of the system.
  public var unitUser: UInt32?
  /// The engine of the container that it runs in, such as `docker`; `nil` when none is seen.
  public var container: String?
  /// What the engine calls the container: an ID, or a name.
  public var containerName: String?
  /// The ID of the desktop application, flatpak or snap that it belongs to.
  public var application: String?

  /// Creates a process of which nothing else is known.
  public init(id: Int32, name: String) {
    self.id = id
    self.name = name
  }

  /// Whether it is a media server, which opens devices for other programs.
  ///
  /// The real users are its clients; only the media server itself can name them. A program of the same name
  /// that is not the system's may be anything.
  public var isMediaServer: Bool {
    isSessionManager || isOfSystem != false && Self.mediaServers.contains(program ?? name)
  }

  /// Whether it manages the devices of a media server, and keeps some open to watch their controls:
  /// it never streams itself.
  public var isSessionManager: Bool {
    // A command name ends after 15 bytes.
    isOfSystem != false
      && (Self.sessionManagers.contains(program ?? name)
        || program == nil && name == "pipewire-media-")
  }

  /// Whether it is the daemon of PipeWire itself.
  package var isPipeWire: Bool { isOfSystem != false && (program ?? name) == "pipewire" }

  /// The name of the file of the program, also of one that an update has replaced.
  private var program: String? {
    executable?.parts(at: "/").last.map { name in
      String(name.hasSuffix(Self.deleted) ? name.dropLast(Self.deleted.count) : name)
    }
  }

  /// What the kernel adds to the path of a file that is gone (`d_path` in fs/d_path.c).
  package static let deleted = " (deleted)"

  /// Whether another program runs in the process than at an earlier look, or the same as another user.
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
