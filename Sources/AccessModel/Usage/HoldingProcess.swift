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
  /// The systemd unit, such as `motion.service`; for a program of a login session its own unit
  /// there, such as `app-firefox.scope`.
  public var unit: String?
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
  /// The real users are its clients; only the media server itself can name them.
  public var isMediaServer: Bool {
    isSessionManager || Self.mediaServers.contains(program ?? name)
  }

  /// Whether it manages the devices of a media server, and keeps some open to watch their controls:
  /// it never streams itself.
  public var isSessionManager: Bool {
    // A command name ends after 15 bytes.
    Self.sessionManagers.contains(program ?? name) || program == nil && name == "pipewire-media-"
  }

  private var program: String? { executable?.split(separator: "/").last.map(String.init) }

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
    case unit
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
    unit = try values.decodeIfPresent(String.self, forKey: .unit)
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
    try values.encodeIfPresent(unit, forKey: .unit)
    try values.encodeIfPresent(container, forKey: .container)
    try values.encodeIfPresent(containerName, forKey: .containerName)
    try values.encodeIfPresent(application, forKey: .application)
  }
}
