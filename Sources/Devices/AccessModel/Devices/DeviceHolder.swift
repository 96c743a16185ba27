/// A process that holds a device open, with the details of its hold.
public struct DeviceHolder: Hashable, Sendable {
  /// The process.
  public var process: HoldingProcess
  /// The details of the hold.
  public var hold: DeviceHold
  /// The programs that use the device through this process, if it is a media server.
  ///
  /// It is `nil` if the process is not a media server, or if the media server was not asked.
  public var clients: [MediaClient]?

  /// Creates a holder.
  public init(
    _ process: HoldingProcess, _ hold: DeviceHold, clients: [MediaClient]? = nil
  ) {
    self.process = process
    self.hold = hold
    self.clients = clients
  }

  /// The time since which the process is known to have used the device, in seconds since the epoch.
  ///
  /// It is `nil` unless the driver reports when the stream began.
  public var usedSince: Int64? { hold.streamingSince }

  /// Returns whether two holders share an open file of the device.
  ///
  /// It also returns `true` if both are the same process. A statement about a shared file, such as
  /// its direction, applies to all processes that share it.
  func sharesFile(with other: DeviceHolder) -> Bool {
    (hold.sharesWith ?? process.id) == (other.hold.sharesWith ?? other.process.id)
  }

  /// The earliest time at which the process can have opened the device, in seconds since the epoch.
  ///
  /// It is the start time of the process, or `nil` if that is unknown.
  public var notBefore: Int64? { process.started }
}

extension DeviceHolder: Codable {
  private enum CodingKeys: String, CodingKey {
    case process, hold, clients
  }

  /// A limit that exceeds the number of clients of any media server.
  package static let mostClients = 4096

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    process = try values.decode(HoldingProcess.self, forKey: .process)
    hold = try values.decode(DeviceHold.self, forKey: .hold)
    clients = try values.boundedIfPresent(.clients, limit: Self.mostClients)
  }
}

/// A process's hold on a device, such as its open descriptors and its activity.
public struct DeviceHold: Hashable, Sendable {
  /// The activity of a process on a device.
  public enum Activity: String, Hashable, Sendable, Codable, CaseIterable {
    /// Data flows.
    case streaming
    /// The process has the device open, but no data flows.
    case idle
  }

  /// The number of descriptors that refer to the device.
  ///
  /// It is zero if the process only maps memory of the device, or if only the driver reports the
  /// process.
  public var descriptors: Int
  /// The permissions that the descriptors were opened with, combined; `nil` if unknown.
  public var access: Permissions?
  /// A Boolean value that indicates whether the process maps memory of the device.
  ///
  /// A mapping keeps the device open even without a descriptor.
  public var isMapped: Bool
  /// The activity of the process on the device; `nil` if unknown.
  public var activity: Activity?
  /// The time at which the stream began, in seconds since the epoch; `nil` if unknown.
  public var streamingSince: Int64?
  /// A Boolean value that indicates whether the process has written enough bytes, to any files, for
  /// a few small pictures.
  ///
  /// It is `nil` unless the process may feed a virtual camera and the amount could be read.
  public var hasWritten: Bool?
  /// The lowest ID among the processes that share an open file of the device with this one; `nil`
  /// if none does.
  ///
  /// A program can share an open file with the processes that it started.
  public var sharesWith: Int32?
  /// A Boolean value that indicates whether a descriptor was opened through a different node than
  /// the requested one, such as a container's own node.
  ///
  /// Events on the requested node do not report when such a descriptor is closed.
  package var isThroughOtherNode = false

  /// Creates a hold, by default with one descriptor that was opened for reading and writing.
  public init(
    descriptors: Int = 1, access: Permissions? = [.read, .write], isMapped: Bool = false,
    activity: Activity? = nil, streamingSince: Int64? = nil
  ) {
    self.descriptors = descriptors
    self.access = access
    self.isMapped = isMapped
    self.activity = activity
    self.streamingSince = streamingSince
  }
}

extension DeviceHold: Codable {
  private static let fields: Fields<Self> = [
    .required("descriptors", \.descriptors),
    .optional("access", \.access),
    .required("mapped", \.isMapped),
    .optional("activity", \.activity),
    .optional("streaming_since", \.streamingSince),
    .optional("has_written", \.hasWritten),
    .optional("shares_with", \.sharesWith),
  ]

  public init(from decoder: any Decoder) throws {
    self = try Self.fields.decode(Self(), from: decoder)
  }

  public func encode(to encoder: any Encoder) throws { try Self.fields.encode(self, to: encoder) }
}

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
  /// The name or ID by which the engine knows the container.
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
  private enum CodingKeys: String, CodingKey {
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
}

/// A program that uses a device through a media server, which has opened it.
///
/// Names come from the program itself and are untrusted.
public struct MediaClient: Hashable, Sendable {
  /// The name that the program reports.
  public var name: String
  /// The process ID; `nil` if the server does not report it.
  public var processID: Int32?
  /// The facts about the process; `nil` if only the program itself reports the ID.
  public var process: HoldingProcess?
  /// The ID of the sandboxed application, which the portal has reported to the server.
  public var application: String?
  /// A Boolean value that indicates whether the program receives data.
  public var isStreaming: Bool

  /// Creates a client, which by default streams.
  public init(
    name: String, processID: Int32? = nil, application: String? = nil, isStreaming: Bool = true
  ) {
    self.name = name
    self.processID = processID
    self.application = application
    self.isStreaming = isStreaming
  }
}

extension MediaClient: Codable {
  private enum CodingKeys: String, CodingKey {
    case name
    case processID = "pid"
    case process
    case application
    case isStreaming = "streaming"
  }
}
