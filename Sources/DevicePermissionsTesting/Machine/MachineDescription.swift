public import AccessModel

/// The contents of a machine that a test makes up: users, files, mounts, devices and sessions.
///
/// A new one has a root filesystem and an empty `/dev`, the groups `root` and `video`, and runs
/// the subject as root with every capability. The rules of the real system hold: a device tagged
/// `uaccess` carries an entry for the user of its seat's active session, as logind would set it.
///
/// A mistake in a description, such as an unknown user, is reported by a precondition failure:
/// it is an error of the test, not of its input.
public struct MachineDescription: Sendable {
  /// A refusal by a layer that no model sees, such as a device program.
  struct HiddenRefusal: Hashable, Sendable {
    var path: String
    var permissions: Permissions
    var errno: Errno
  }

  var nodes: [String: Node] = [:]
  var mounts: [Mount] = [Mount(at: "/", fstype: "ext4"), Mount(at: "/dev", fstype: "devtmpfs")]
  var devices: [DeviceFacts] = []
  var users: [String: User] = [:]
  var groups: [String: UInt32] = ["root": 0, "video": 44, "audio": 29, "render": 105]
  var sessions: [Session] = []
  var subjectUser = "root"
  var hiddenRefusals: Set<HiddenRefusal> = []
  var openFailures: [String: Errno] = [:]
  /// The processes that hold devices, each with the path of the node that it opened.
  var holders: [(path: String, holder: DeviceHolder)] = []

  /// What was granted, by the number of who gave it.
  var granted: [UInt32: [GrantedObject]] = [:]
  /// How many grants were given.
  var lastGrant = 0

  /// How long the machine has run, on its clock.
  var elapsed = Duration.zero
  /// The time of day at which it began, in seconds since the epoch; `nil` for a machine that does
  /// not say when it was looked at.
  public var startTime: Int64?
  /// The time of day, which goes on with ``InMemoryMachine/clock``; `nil` without a ``startTime``.
  public var now: Int64? { startTime.map { $0 + elapsed.components.seconds } }

  /// The credentials of the program under test.
  public var subject: Subject
  /// The environment of the program under test.
  public var environment: [String: String] = [:]
  /// Whether logind can be asked.
  public var isLogindRunning = true
  /// Layers around the subject, such as a container.
  public var confinement = ConfinementFacts()
  /// Processes that nobody on this machine may look into, beside those of other users.
  public var unseenProcesses = UnseenProcesses()
  /// `fs.protected_symlinks`.
  public var protectedSymlinks = true

  /// A machine without users and devices.
  public init() {
    subject = Subject(uid: 0, gid: 0)
    subject.permitted = .all
    subject.effective = .all
    users["root"] = User(id: 0, primaryGroup: 0, groups: [], home: "/root")
    for directory in ["/", "/dev", "/home"] {
      addDirectory(directory)
    }
    addDirectory("/root", mode: 0o700)
  }
}
