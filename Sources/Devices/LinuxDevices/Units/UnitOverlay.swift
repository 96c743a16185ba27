internal import AccessModel

/// Changes an access case to match the view of a unit's processes.
///
/// Their view differs by a private `/dev`, protected paths and a device policy.
struct UnitOverlay {
  private let settings: UnitSettings
  private let unit: String
  private let roots: MachineRoots
  /// A Boolean value that indicates whether the unit is running.
  ///
  /// If so, no setting prevents its start.
  private let isRunning: Bool
  /// The security modules of the kernel; `nil` if unknown.
  private let securityModules: [String]?
  /// Resolves paths; `nil` to use the current filesystem.
  private let knownPlaces: UnitPathResolver?
  /// The owner of the objects that systemd creates; `nil` if unknown.
  private let owner: UnitOwner?
  /// The unit's root directory, if systemd bind-mounts the machine's `/dev` there.
  ///
  /// The value is `nil` if the directory could not be inspected.
  var rootNode: Node?
  private(set) var unobserved: [Unobserved] = []
  private(set) var policies: [ServiceFacts.Policy] = []
  /// The mount points that the settings make read-only.
  private(set) var protected: [ServiceFacts.Protection] = []

  init(
    _ settings: UnitSettings, of unit: String = "the unit", roots: MachineRoots,
    owner: UnitOwner? = nil, isRunning: Bool = false, securityModules: [String]? = nil,
    places: UnitPathResolver? = nil
  ) {
    self.owner = owner
    self.settings = settings
    self.isRunning = isRunning
    self.securityModules = securityModules
    knownPlaces = places
    self.unit = unit
    self.roots = roots
  }

  mutating func apply(to access: inout AccessCase) {
    note(settings.doubts, access)
    applyDevicePolicy(to: &access.subject)
    let root = UnitRoot(settings, target: access.request.path)
    switch root {
    case .machine: break
    case .directory:
      if access.nodes.contains(where: { Self.leadsToInterface($0, settings) }) {
        return hideRoot("RootDirectory=", &access)
      }
    case .devices:
      guard let rootNode, let index = access.nodes.firstIndex(where: { $0.path == "/" }) else {
        return hideRoot("RootDirectory=", &access)
      }
      access.nodes[index] = rootNode
    case .unknown(let setting): return hideRoot(setting, &access)
    }
    let places = knownPlaces ?? UnitPathResolver(of: root)
    let unknown = create(&access, at: places, isInMachine: root == .machine)
    let outside = access
    if settings.privateDevices { hideDevices(&access) }
    protect(&access, at: places)
    for replaced in settings.replacedPaths {
      if root == .machine, show(replaced, of: outside, &access, at: places) { continue }
      hide(replaced, &access, at: places)
    }
    for replaced in unknown { hide(replaced, &access, at: places) }
  }

  /// Applies the changes that systemd makes before it starts the unit.
  ///
  /// - Parameters:
  ///   - access: The case.
  ///   - places: Resolves the paths in the settings.
  ///   - isInMachine: Whether the unit uses the machine's root directory.
  /// - Returns: The paths whose contents are unknown after the changes.
  private func create(
    _ access: inout AccessCase, at places: UnitPathResolver, isInMachine: Bool
  ) -> [UnitSettings.ReplacedPath] {
    guard !isRunning else { return [] }
    return UnitCreations(
      settings: settings, unit: unit, owner: owner, places: places, isInMachine: isInMachine
    ).apply(to: &access)
  }

  // MARK: Devices

  private mutating func applyDevicePolicy(to subject: inout Subject) {
    var evaluation = UnitPolicies(roots: roots)
    // An existing list comes from a container that contains the manager.
    subject.deviceCgroup = evaluation.list(
      for: settings, of: unit, isRunning: false, beside: subject.deviceCgroup)
    if !evaluation.isComplete { subject.unobserved.insert(.deviceCgroup) }
    policies = evaluation.policies
    unobserved += evaluation.unobserved
  }

  /// Returns whether a node in another root directory is, or links to, a path at which systemd
  /// mounts a kernel interface.
  private static func leadsToInterface(_ node: Node, _ settings: UnitSettings) -> Bool {
    guard settings.hasInterfacesBelowRoot else { return false }
    return ([node.path] + [node.target].compactMap(\.self)).contains { path in
      UnitRoot.interfaces.contains { $0.covers(UnitPath(path).path) }
    }
  }

  /// The names in `/dev` that exist with `PrivateDevices=` (`mount_private_dev`).
  private static let privateNames: Set<String> = [
    "null", "zero", "full", "random", "urandom", "tty", "pts", "ptmx", "shm", "mqueue",
    "hugepages", "log", "fd", "stdin", "stdout", "stderr", "core",
  ]

  private func hideDevices(_ access: inout AccessCase) {
    access.nodes.removeAll { node in
      guard node.path.hasPrefix("/dev/") else { return false }
      let name = node.path.dropFirst(5).prefix { $0 != "/" }
      return !Self.privateNames.contains(String(name))
    }
    guard let index = access.nodes.firstIndex(where: { $0.path == "/dev" }) else { return }
    access.nodes[index].mode = 0o755
    access.nodes[index].acl = nil
    var mount = Mount(at: "/dev", fstype: "tmpfs")
    mount.nosuid = true
    mount.noexec = true
    access.mounts.removeAll { $0.at == "/dev" }
    access.mounts.append(mount)
  }

  /// Restores a node that `PrivateDevices=` hides, if a setting binds it to its own path.
  ///
  /// - Parameters:
  ///   - replaced: The setting.
  ///   - outside: The case before the settings were applied.
  ///   - access: The case to change.
  ///   - places: Resolves the paths in the settings.
  /// - Returns: `true` if the node was restored. Otherwise, the contents of the path are unknown.
  private func show(
    _ replaced: UnitSettings.ReplacedPath, of outside: AccessCase, _ access: inout AccessCase,
    at places: UnitPathResolver
  ) -> Bool {
    let path = replaced.path
    guard replaced.isSame, settings.privateDevices, AbsolutePath.parent(of: path) == "/dev",
      case .found(let place, let links, _) = places.place(of: path), place.path == path,
      links.isEmpty,
      // The effects of other settings at the same path or above it are not modelled.
      !settings.inaccessiblePaths.contains(where: { UnitPath($0).covers(path) }),
      settings.replacedPaths.count(where: { UnitPath($0.path).covers(path) }) == 1,
      let node = outside.nodes.first(where: { $0.path == path }), node.type.isDevice,
      access.nodes.contains(where: { $0.path == "/dev" }),
      !access.nodes.contains(where: { $0.path == path }),
      var mount = Self.mount(of: path, in: outside.mounts)
    else { return false }
    mount.at = path
    access.nodes.append(node)
    access.mounts.append(mount)
    return true
  }

  // MARK: Directories

  private mutating func protect(_ access: inout AccessCase, at places: UnitPathResolver) {
    let before = access.mounts
    var unresolved: [UnitPathRule.Unresolved] = []
    let rules = UnitPathRule.rules(for: settings, at: places, unresolved: &unresolved)
    let writes = access.request.permissions.contains(.write) || access.request.creates
    for path in unresolved {
      if path.preventsStart {
        doubtStart(path.rule.setting, path.reason)
        continue
      }
      let restricts =
        switch path.rule.effect {
        case .readWrite: false
        case .readOnly: writes
        case .hidden, .empty: true
        }
      if restricts {
        doubt(path.rule.setting, path.rule.path, path.reason)
      } else if !path.rule.isOptional, !isRunning {
        tellUnseen(path)
      }
    }
    for rule in rules {
      guard let index = access.nodes.firstIndex(where: { $0.path == rule.path.path }) else {
        // The path that the case is about does not lead through this one.
        continue
      }
      switch rule.effect {
      case .hidden, .empty:
        protected.removeAll { rule.path.covers($0.at) }
        cover(index, rule, &access)
      case .readOnly:
        remount(rule.path, &access) { _ in true }
        protected.removeAll { rule.path.covers($0.at) }
        for mount in access.mounts where mount.readOnly && rule.path.covers(mount.at) {
          let outside = Self.mount(of: mount.at, in: before)
          protected.append(
            ServiceFacts.Protection(mount.at, isReadOnlyOutside: outside?.readOnly ?? true))
        }
      case .readWrite:
        // The path is exempt from the setting, not remounted. If it is read-only outside, it stays
        // read-only.
        remount(rule.path, &access) { Self.mount(of: $0, in: before)?.readOnly ?? false }
        protected.removeAll { rule.path.covers($0.at) }
      }
    }
  }

  /// Replaces a node with an object that systemd creates.
  ///
  /// The object is an empty directory, an inaccessible one, or a device node without a valid
  /// number.
  private func cover(
    _ index: Int, _ rule: UnitPathRule, _ access: inout AccessCase
  ) {
    let path = rule.path
    access.nodes[index].mode = rule.effect == .hidden ? 0 : 0o755
    access.nodes[index].uid = 0
    access.nodes[index].gid = 0
    access.nodes[index].acl = nil
    access.nodes[index].unobserved = []
    if access.nodes[index].type.isDevice {
      access.nodes[index].rdev = DeviceNumber(major: 0, minor: 0)
    }
    access.nodes.removeAll { $0.path != path.path && path.covers($0.path) }
    access.mounts.removeAll { path.covers($0.at) }
    var mount = Mount(at: path.path, fstype: "tmpfs")
    mount.source = rule.setting
    mount.readOnly = true
    mount.nodev = true
    mount.noexec = true
    mount.nosuid = true
    access.mounts.append(mount)
  }

  private static func mount(of path: String, in mounts: [Mount]) -> Mount? {
    mounts.filter { UnitPath($0.at).covers(path) }
      .max { $0.at.utf8.count < $1.at.utf8.count }
  }

  /// Remounts a path and everything below it, without changing any superblock.
  private func remount(
    _ path: UnitPath, _ access: inout AccessCase, isReadOnly: (String) -> Bool
  ) {
    if !access.mounts.contains(where: { $0.at == path.path }) {
      guard var mount = Self.mount(of: path.path, in: access.mounts) else { return }
      mount.at = path.path
      access.mounts.append(mount)
    }
    for index in access.mounts.indices where path.covers(access.mounts[index].at) {
      let isInterface =
        path.path == "/"
        && UnitPathRule.interfaces.contains { interface in
          interface.covers(access.mounts[index].at)
        }
      if !isInterface { access.mounts[index].readOnly = isReadOnly(access.mounts[index].at) }
    }
  }

  // MARK: What was not observed

  /// Records possible restrictions; they affect the answer if they concern the request.
  private mutating func note(_ doubts: [UnitSettings.Doubt], _ access: AccessCase) {
    guard !doubts.isEmpty else { return }
    let request = access.request
    let type = access.object(at: request.path)?.type
    for doubt in doubts {
      // systemd ignores the setting if the kernel does not support BPF security modules
      // (`lsm_bpf_supported`).
      if doubt == .fileSystems, securityModules?.contains("bpf") == false { continue }
      let isConcerned =
        switch doubt.concern {
        case .anything, .calls: true
        case .devices: type?.isDevice ?? !request.creates
        case .programs: request.permissions.contains(.execute) && type != .directory
        }
      let unseen = Unobserved(
        isConcerned ? Unobserved.restrictionsLayer : "unit-settings", reason: doubt.reason)
      // If a unit folder could not be searched, the same reason applies to each slice.
      if !unobserved.contains(where: { $0.reason == unseen.reason }) { unobserved.append(unseen) }
    }
  }

  /// Records that systemd currently cannot start the unit.
  private mutating func doubtStart(_ setting: String, _ reason: String) {
    guard !isRunning else { return }
    unobserved.append(
      Unobserved(
        Unobserved.restrictionsLayer,
        reason: "\(setting) keeps systemd from starting \(unit) (226/NAMESPACE): \(reason)"))
  }

  /// Records a path that does not restrict the request but prevents the start if it is missing.
  private mutating func tellUnseen(_ path: UnitPathRule.Unresolved) {
    let (place, setting) = (path.rule.path.path, path.rule.setting)
    unobserved.append(
      Unobserved(
        "unit-settings", at: place,
        reason: """
          whether \(place) of \(setting) exists was not observed (\(path.reason)), and without it \
          systemd cannot start \(unit)
          """))
  }

  /// Records a source that is missing or cannot be resolved, which prevents the start.
  private mutating func check(_ replaced: UnitSettings.ReplacedPath) {
    guard let source = replaced.source, !replaced.isOptional else { return }
    let path = UnitPath(source)
    switch (knownPlaces ?? UnitPathResolver(of: .machine)).place(of: source) {
    case .found(_, _, exists: false)
    where !settings.createdDirectories.contains { path.covers($0) }:
      doubtStart(replaced.setting, "\(source) does not exist")
    case .impossible(let reason): doubtStart(replaced.setting, reason)
    case .found, .unknown: break
    }
  }

  /// Records that a path in a setting could not be resolved.
  private mutating func doubt(_ setting: String, _ path: UnitPath, _ reason: String) {
    unobserved.append(
      Unobserved(
        Unobserved.restrictionsLayer, at: path.path,
        reason: "where \(path.path) of \(setting) leads was not observed (\(reason))"))
  }

  private mutating func hideRoot(_ setting: String, _ access: inout AccessCase) {
    access.nodes.removeAll { $0.path != "/" }
    access.mounts.removeAll { $0.at != "/" }
    for index in access.nodes.indices { access.nodes[index].unobserved.insert(.contents) }
    unobserved.append(
      Unobserved("root-directory", reason: "\(setting) gives the unit another root directory"))
  }

  private mutating func hide(
    _ replaced: UnitSettings.ReplacedPath, _ access: inout AccessCase, at places: UnitPathResolver
  ) {
    check(replaced)
    let place: UnitPath
    switch places.place(of: replaced.path) {
    case .unknown(let reason), .impossible(let reason):
      return doubt(replaced.setting, UnitPath(replaced.path), reason)
    case .found(let path, let links, _):
      let isOpen = links.contains { link in
        settings.replacedPaths.contains { UnitPath($0.path).covers(link) && $0.path != link }
      }
      if isOpen {
        return doubt(
          replaced.setting, UnitPath(replaced.path), "another setting puts something there")
      }
      place = path
    }
    if place.path == "/" { return hideRoot(replaced.setting, &access) }
    let parent = AbsolutePath.parent(of: place.path)
    var ends = [access.request.path]
    if case .found(let path, _, _) = places.place(of: access.request.path) {
      ends.append(path.path)
    }
    let concerned =
      access.nodes.contains { place.covers($0.path) } || ends.contains(where: place.covers)
    guard concerned else { return }
    access.nodes.removeAll { place.covers($0.path) }
    access.mounts.removeAll { place.covers($0.at) }
    // The parent folder may be new too, so the nearest known folder is marked.
    let nearest = access.nodes.indices.filter { UnitPath(access.nodes[$0].path).covers(parent) }
      .max { access.nodes[$0].path.utf8.count < access.nodes[$1].path.utf8.count }
    if let nearest { access.nodes[nearest].unobserved.insert(.contents) }
    unobserved.append(
      Unobserved(
        "contents", at: place.path, reason: "\(replaced.setting) puts something else there"))
  }
}

/// The unit behind a subject.
struct UnitView: Sendable {
  var name: UnitName
  var settings: UnitSettings
  /// The owner of the objects that systemd creates before it starts the program.
  var owner: UnitOwner?
  /// A Boolean value that indicates whether the subject is a running process, not the program that
  /// systemd would start.
  var isRunning = false
  /// A Boolean value that indicates whether the observed paths are the machine's.
  ///
  /// If so, the settings determine what the unit sees at these paths.
  var needsOverlay = true
}
