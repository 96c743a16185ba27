internal import AccessModel

/// The objects that systemd creates or changes before it starts a unit.
///
/// These are its directories, its terminal and its credentials (`setup_exec_directory`,
/// `chown_terminal` and `setup_credentials`).
struct UnitCreations {
  let settings: UnitSettings
  /// The name of the unit.
  let unit: String
  /// The owner of the created objects; `nil` if unknown.
  let owner: UnitOwner?
  let places: UnitPathResolver
  /// A Boolean value that indicates whether the unit uses the machine's root directory.
  let isInMachine: Bool

  /// Updates an access case as if systemd had created the objects.
  ///
  /// - Parameter access: The case.
  /// - Returns: The paths whose contents are unknown in that state.
  func apply(to access: inout AccessCase) -> [UnitSettings.ReplacedPath] {
    var unknown: [UnitSettings.ReplacedPath] = []
    for path in settings.createdDirectories.sorted() {
      unknown += apply(directory: path, to: &access)
    }
    unknown += settings.directoryLinks.sorted().compactMap { link in
      if case .found(_, _, exists: true) = places.place(of: link) { return nil }
      let setting = UnitSettings.setting(creating: UnitPath(link))
      return UnitSettings.ReplacedPath(setting: setting, path: link)
    }
    changeTerminal(&access)
    return unknown + hiddenCredentials
  }

  // MARK: Directories

  private func apply(
    directory path: String, to access: inout AccessCase
  ) -> [UnitSettings.ReplacedPath] {
    let setting = UnitSettings.setting(creating: UnitPath(path))
    let itself = UnitSettings.ReplacedPath(setting: setting, path: path)
    // In another root directory, systemd mounts the directory that it creates on the machine.
    guard isInMachine else { return [itself] }
    if let parent = privateParent(of: setting) {
      return [itself, UnitSettings.ReplacedPath(setting: setting, path: parent)]
    }
    guard case .found(let place, let links, let exists) = places.place(of: path) else { return [] }
    if links.contains(path) {
      // If systemd made the link for a dynamic user, it moves the directory back. Not every version
      // follows other links.
      return [UnitSettings.ReplacedPath(setting: setting, path: place.path), itself]
    }
    if exists {
      // An existing configuration directory is not changed.
      if setting != "ConfigurationDirectory=" { adopt(place.path, setting, &access) }
    } else {
      create(place.path, setting, &access)
    }
    return []
  }

  /// Returns the folder for a dynamic user's directories, which other users cannot enter.
  ///
  /// Returns `nil` if the setting does not use such a folder.
  private func privateParent(of setting: String) -> String? {
    guard settings.isDynamicUser, setting != "ConfigurationDirectory=",
      setting != "RuntimeDirectory="
    else { return nil }
    return UnitSettings.parentsOfCreated[String(setting.dropLast())].map { "\($0)/private" }
  }

  private func mode(of setting: String) -> UInt16 {
    settings.directoryModes[String(setting.dropLast())] ?? UnitSettings.defaultDirectoryMode
  }

  /// Applies the mode and owner that systemd gives to an existing directory.
  ///
  /// systemd always sets the mode. It changes the owner of all contents only if the directory has a
  /// different owner (`path_chown_recursive`).
  private func adopt(_ path: String, _ setting: String, _ access: inout AccessCase) {
    guard let index = access.nodes.firstIndex(where: { $0.path.isSame(as: path) }),
      access.nodes[index].type == .directory
    else { return }
    access.nodes[index].mode = mode(of: setting)
    if access.nodes[index].acl != nil {
      // Changing the mode also changes the mask of the access control list.
      access.nodes[index].acl = nil
      access.nodes[index].unobserved.insert(.acl)
    }
    guard let owner, (access.nodes[index].uid, access.nodes[index].gid) != (owner.user, owner.group)
    else { return }
    for index in access.nodes.indices where UnitPath(path).covers(access.nodes[index].path) {
      access.nodes[index].uid = owner.user
      access.nodes[index].gid = owner.group
    }
  }

  /// Adds the directory and its missing parents, if the existing part of the path was observed.
  private func create(_ path: String, _ setting: String, _ access: inout AccessCase) {
    guard let owner else { return }
    var at = "/"
    for name in AbsolutePath.components(of: path) {
      let above = at
      at = above == "/" ? "/\(name)" : "\(above)/\(name)"
      if access.nodes.contains(where: { $0.path.isSame(as: at) }) { continue }
      guard case .found(_, _, exists: false) = places.place(of: at),
        let parent = access.nodes.first(where: { $0.path.isSame(as: above) }),
        !parent.unobserved.contains(.contents)
      else { return }
      let isItself = at == path
      access.nodes.append(
        Node(
          path: at, type: .directory,
          mode: isItself ? mode(of: setting) : UnitSettings.defaultDirectoryMode,
          uid: isItself ? owner.user : owner.root, gid: isItself ? owner.group : owner.rootGroup))
    }
  }

  // MARK: The terminal

  /// Gives the terminal of standard input to the unit's user, with a fixed mode (`TTY_MODE`).
  private func changeTerminal(_ access: inout AccessCase) {
    guard let terminal = settings.terminal, let owner,
      case .found(let place, _, _) = UnitPathResolver(of: .machine).place(of: terminal),
      let index = access.nodes.firstIndex(where: { $0.path.isSame(as: place.path) }),
      access.nodes[index].type == .characterDevice
    else { return }
    access.nodes[index].uid = owner.user
    access.nodes[index].mode = 0o620
    access.nodes[index].acl = nil
  }

  // MARK: Credentials

  /// The credential folders whose contents are unknown.
  ///
  /// The unit's own credentials are created when the unit starts. In a mount namespace, other
  /// units' credentials are hidden.
  private var hiddenCredentials: [UnitSettings.ReplacedPath] {
    let folder = "/run/credentials"
    let setting = settings.credentialSettings.min().map { "\($0)=" }
    if settings.hasMountNamespace {
      return [
        UnitSettings.ReplacedPath(setting: setting ?? "the mount namespace", path: folder)
      ]
    }
    let name = settings.realName?.text ?? unit
    return setting.map { [UnitSettings.ReplacedPath(setting: $0, path: "\(folder)/\(name)")] } ?? []
  }
}

/// The owner of objects that systemd creates for a unit, such as its `StateDirectory=`.
///
/// The IDs are translated to the numbering that the facts use.
struct UnitOwner: Hashable, Sendable {
  /// The user in `User=`, or root.
  var user: UInt32
  /// The group in `Group=`, the user's primary group, or root's group.
  var group: UInt32
  /// The ID of root, which owns the parent directories.
  var root: UInt32
  /// The ID of root's group.
  var rootGroup: UInt32
}
