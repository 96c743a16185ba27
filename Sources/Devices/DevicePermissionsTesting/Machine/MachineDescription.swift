public import AccessModel

/// A description of a machine for a test: its users, files, mounts, devices and sessions.
///
/// A new description has a root filesystem with an empty `/dev`, a few groups such as `root` and
/// `video`, and a subject that runs as root with every capability. The rules of the real system
/// apply: if a device is tagged `uaccess`, its access list has an entry for the user of its seat's
/// active session, as logind would set it.
///
/// A mistake in a description, such as an unknown user, is a precondition failure, because it is an
/// error in the test.
public struct MachineDescription: Sendable {
  /// A refusal by a layer that the model does not know, such as a device program.
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

  /// The granted objects, by the number of the user who gave the grants.
  var granted: [UInt32: [GrantedObject]] = [:]
  /// The number of grants that were given so far.
  var lastGrant = 0

  /// The time since the machine started, on its clock.
  var elapsed = Duration.zero
  /// The time of day at which the machine started, in seconds since the epoch.
  ///
  /// If it is `nil`, observations do not record a time.
  public var startTime: Int64?
  /// The current time of day, which advances with ``InMemoryMachine/clock``; `nil` without a
  /// ``startTime``.
  public var now: Int64? { startTime.map { $0 + elapsed.components.seconds } }

  /// The credentials of the program under test.
  public var subject: Subject
  /// The environment of the program under test.
  public var environment: [String: String] = [:]
  /// A Boolean value that indicates whether logind is running.
  public var isLogindRunning = true
  /// The confinement of the subject, such as a container.
  public var confinement = ConfinementFacts()
  /// The processes that the subject cannot inspect, in addition to those of other users.
  public var unseenProcesses = UnseenProcesses()
  /// The value of the sysctl `fs.protected_symlinks`.
  public var protectedSymlinks = true

  /// Creates a description whose only user is root, without devices.
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
