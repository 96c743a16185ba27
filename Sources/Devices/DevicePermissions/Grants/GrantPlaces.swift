internal import LinuxDevices

/// The folders for records of grants and for their rules.
struct GrantPlaces: Hashable, Sendable {
  /// The user that the folders belong to.
  let user: UInt32
  /// The folder that records grants on devices, whose nodes do not survive a reboot.
  ///
  /// Every user may read root's folder.
  var devices: GrantFolder
  /// The folder that records grants with an end on files that do not survive a reboot.
  var volatile: GrantFolder
  /// The folder that records other grants on files; `nil` if the caller has no home directory.
  var lasting: GrantFolder?
  /// The unit that ends the grants in ``lasting`` when systemd starts again; `nil` if the caller
  /// has no home directory.
  var loginUnit: LoginUnit?
  var rules = UdevRuleFolder.volatile
  var lastingRules = UdevRuleFolder.lasting
  /// The folder that contains root's ``devices``.
  private let system: String
  /// The folder that contains a subfolder for each user.
  ///
  /// The user's ``devices`` folder is ``ofUser`` in that subfolder.
  private let runtime: String

  private static let ofRoot = "devices"
  private static let ofUser = "devaccess/grants"

  /// Determines the folders of a user; root gets the system's folders.
  init(user: UInt32, home: String?) {
    self.user = user
    system = "/run/devaccess"
    runtime = "/run/user"
    devices = Self.devices(user, system, runtime)
    volatile = user == 0 ? GrantFolder(path: "\(system)/grants") : devices
    guard user != 0 else {
      lasting = GrantFolder(path: "/var/lib/devaccess/grants")
      loginUnit = .ofSystem
      return
    }
    lasting = home.map { GrantFolder(path: "\($0)/.local/state/devaccess/grants") }
    loginUnit = home.map(LoginUnit.of(home:))
  }

  /// Determines the folders of a user in a test.
  ///
  /// - Parameters:
  ///   - user: The user.
  ///   - record: The folder that contains all of them.
  init(user: UInt32, record: String) {
    self.user = user
    system = record
    runtime = "\(record)/users"
    devices = Self.devices(user, system, runtime)
    volatile = user == 0 ? GrantFolder(path: "\(record)/volatile") : devices
    lasting = GrantFolder(path: user == 0 ? "\(record)/lasting" : "\(runtime)/\(user)/lasting")
    rules = UdevRuleFolder(path: "\(record)/rules")
    lastingRules = UdevRuleFolder(path: "\(record)/lasting-rules")
    loginUnit = LoginUnit(folder: "\(record)/units", target: "default.target")
  }

  private static func devices(
    _ user: UInt32, _ system: String, _ runtime: String
  ) -> GrantFolder {
    user == 0
      ? GrantFolder(path: "\(system)/\(ofRoot)", isShared: true)
      : GrantFolder(path: "\(runtime)/\(user)/\(ofUser)")
  }

  /// The folders of all records.
  var folders: [GrantFolder] {
    [devices] + (volatile == devices ? [] : [volatile]) + [lasting].compactMap(\.self)
  }

  /// Returns the folder with the record of a grant on a device, or ``devices`` if no folder has
  /// one.
  ///
  /// Older versions recorded root's grants on devices together with grants on files.
  func folderOfDevice(with id: String) -> GrantFolder {
    let holding = [devices, volatile].first { folder in
      folder.unlockedRecord.map { GrantBook($0, at: folder.path).object(of: id) != nil } == true
    }
    return holding ?? devices
  }

  /// Returns the record of the other user who may change the access list of a device.
  ///
  /// For root, this is the owner's record; for any other user, it is root's. The result is `nil` if
  /// root is both the caller and the owner.
  func otherRecord(of owner: UInt32) -> OtherGrantRecord? {
    if user != 0 { return OtherGrantRecord(base: system, folder: Self.ofRoot, user: 0) }
    guard owner != 0 else { return nil }
    return OtherGrantRecord(base: "\(runtime)/\(owner)", folder: Self.ofUser, user: owner)
  }
}
