internal import AccessModel
internal import JSONText
internal import LinuxDevices

/// The grants that one caller gave, as stored in a file.
struct GrantLedger: Hashable {
  /// The contents of the file, whose records are decoded one by one: a malformed record does not
  /// hide the others.
  private struct File: Codable {
    var version = 1
    var objects: [JSONFragment] = []
  }

  var objects: [GrantedObject] = []
  /// The records that this version does not understand, which are written back unchanged.
  private var unknown: [JSONFragment] = []
  /// The error that prevents reading a part of the file; if it is set, no new grant is given.
  private(set) var problem: GrantError?
  /// A Boolean value that indicates whether the file can be replaced without losing data.
  private var isWritable = true

  init() {}

  /// Reads the ledger in a folder; ``problem`` is set if a part of it is not understood.
  init(in folder: borrowing GrantFolder.Locked, at path: String) {
    self.init()
    do throws(GrantError) {
      self = GrantLedger(try folder.read(), at: path)
    } catch {
      problem = error
      isWritable = false
    }
  }

  /// Decodes the contents of a file; ``problem`` is set if a part of it is not understood.
  init(_ bytes: [UInt8], at path: String) {
    guard !bytes.isEmpty else { return }
    guard let file = try? JSONReader.decode(File.self, from: bytes) else {
      problem = GrantError(.failed, at: path, "the record of grants is malformed")
      isWritable = false
      return
    }
    for fragment in file.objects {
      guard let object = try? fragment.decode(GrantedObject.self) else {
        unknown.append(fragment)
        continue
      }
      objects.append(object)
    }
    if file.version != 1 {
      problem = GrantError(.failed, at: path, "the record of grants has an unsupported version")
      isWritable = false
    } else if !unknown.isEmpty {
      problem = GrantError(.failed, at: path, "a part of the record of grants is malformed")
    }
  }

  /// Returns the record, or throws ``problem`` if a part of the record is not understood.
  func whole() throws(GrantError) -> GrantLedger {
    if let problem { throw problem }
    return self
  }

  /// Writes the record, unless that would lose a part of it.
  func write(to folder: borrowing GrantFolder.Locked, at path: String) throws(GrantError) {
    guard isWritable else { return }
    guard !objects.isEmpty || !unknown.isEmpty else { return try folder.write([]) }
    let text: String
    do {
      text = try JSONWriter.encode(Written(objects: objects, unknown: unknown))
    } catch {
      throw GrantError(.failed, at: path, "the record of grants cannot be written")
    }
    try folder.write(Array(text.utf8))
  }

  /// The contents of the file: the records that are understood, and the others.
  private struct Written: Encodable {
    let objects: [GrantedObject]
    let unknown: [JSONFragment]

    private enum Key: String, CodingKey { case version, objects }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(1, forKey: .version)
      var list = container.nestedUnkeyedContainer(forKey: .objects)
      for object in objects { try list.encode(object) }
      for fragment in unknown { try list.encode(fragment) }
    }
  }

  var count: Int { objects.reduce(0) { $0 + $1.grants.count } }

  /// Returns the record of an inode, or `nil` if it has no grant.
  ///
  /// The grant may have been given through another path. It counts only if that path still leads to
  /// the inode: on a filesystem without handles, the inode number may belong to a new file.
  func object(_ node: borrowing PinnedNode, at path: String) -> GrantedObject? {
    objects.first { object in
      node.isInode(of: object)
        && (object.path == path
          || (try? PinnedNode(path: object.path))?.isInode(of: object) == true)
    }
  }

  /// Adds the record of an object, replacing the previous one.
  mutating func put(_ object: GrantedObject, insteadOf old: GrantedObject? = nil) {
    let old = old ?? object
    objects.removeAll { $0.inode == old.inode && $0.path == old.path }
    objects.append(object)
  }

  /// Returns the object of the grant with the given ID.
  func object(of id: String) -> GrantedObject? {
    objects.first { $0.grants.contains { $0.id == id } }
  }
}

/// The folders for records of grants and for their rules.
struct GrantFolders: Hashable, Sendable {
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
  var all: [GrantFolder] {
    [devices] + (volatile == devices ? [] : [volatile]) + [lasting].compactMap(\.self)
  }

  /// Returns the folder with the record of a grant on a device, or ``devices`` if no folder has
  /// one.
  ///
  /// Older versions recorded root's grants on devices together with grants on files.
  func folderOfDevice(with id: String) -> GrantFolder {
    let holding = [devices, volatile].first { folder in
      folder.unlockedRecord.map { GrantLedger($0, at: folder.path).object(of: id) != nil } == true
    }
    return holding ?? devices
  }

  /// Returns the record of the other user who may change the access list of a device.
  ///
  /// For root, this is the owner's record; for any other user, it is root's. The result is `nil` if
  /// root is both the caller and the owner.
  func otherLedger(of owner: UInt32) -> OtherGrantLedger? {
    if user != 0 { return OtherGrantLedger(base: system, folder: Self.ofRoot, user: 0) }
    guard owner != 0 else { return nil }
    return OtherGrantLedger(base: "\(runtime)/\(owner)", folder: Self.ofUser, user: owner)
  }
}
