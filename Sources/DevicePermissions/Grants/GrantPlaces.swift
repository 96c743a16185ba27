internal import LinuxDevices

/// Where grants are recorded, and where their rules lie.
struct GrantPlaces: Hashable, Sendable {
  /// The user whose places they are.
  let user: UInt32
  /// The record of grants on devices, whose nodes go away with the system; every user may read root's.
  var devices: GrantFolder
  /// The record of grants with an end on files that go away with the system.
  var volatile: GrantFolder
  /// The record of other grants on files; `nil` where the caller has no place for one.
  var lasting: GrantFolder?
  /// What ends grants of that record when systemd starts again; `nil` where there is no place for one.
  var loginUnit: LoginUnit?
  var rules = UdevRuleFolder.volatile
  var lastingRules = UdevRuleFolder.lasting
  /// The folder that has ``devices`` of root.
  private let system: String
  /// The folder that has a folder for each user, with ``devices`` of the user in ``ofUser``.
  private let runtime: String

  private static let ofRoot = "devices"
  private static let ofUser = "devaccess/grants"

  /// The folders of a user: those of the system for root.
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

  /// The folders of a test.
  ///
  /// - Parameters:
  ///   - user: The user.
  ///   - record: The folder that has all of them.
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

  /// Every record.
  var folders: [GrantFolder] {
    [devices] + (volatile == devices ? [] : [volatile]) + [lasting].compactMap(\.self)
  }

  /// The folder whose record has a grant on a device.
  ///
  /// Older versions recorded grants of root on devices with those on files.
  func folderOfDevice(with id: String) -> GrantFolder {
    let holding = [devices, volatile].first { folder in
      folder.unlockedRecord.map { GrantBook($0, at: folder.path).object(of: id) != nil } == true
    }
    return holding ?? devices
  }

  /// The record of the other user who may change the list of a device: its owner's for root, and root's
  /// for any other; `nil` without one.
  func otherRecord(of owner: UInt32) -> OtherGrantRecord? {
    if user != 0 { return OtherGrantRecord(base: system, folder: Self.ofRoot, user: 0) }
    guard owner != 0 else { return nil }
    return OtherGrantRecord(base: "\(runtime)/\(owner)", folder: Self.ofUser, user: owner)
  }
}
