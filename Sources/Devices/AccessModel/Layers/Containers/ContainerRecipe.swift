/// The options or settings that give one device to a container or a service.
///
/// In a container, access depends on the numbers of groups, not on their names. The numbers in the
/// lines are valid only on the observed machine.
public struct ContainerRecipe: Hashable, Sendable {
  /// The engine whose options or settings the lines contain.
  public var engine: ContainerEngine
  /// The node on the observed machine, including its mode, owner, group and device number.
  public var node: Node
  /// The options, settings or manifest lines, in the order in which to write them.
  public var lines: [String]
  /// Additional information for the reader, one sentence per element.
  public var notes: [String]
}

extension AccessFacts {
  /// Returns the options that give a container or a service access to the device at a path.
  ///
  /// - Parameters:
  ///   - engine: The engine that the options are for.
  ///   - path: The path of the device node, or of a link to it.
  ///   - wanted: The access that the program needs.
  /// - Returns: The recipe; `nil` if there is no device node at the path.
  public func recipe(
    for engine: ContainerEngine, at path: String, wanted: Permissions
  ) -> ContainerRecipe? {
    guard let node = access.object(at: path), node.type.isDevice, node.rdev != nil else {
      return nil
    }
    let device = device(at: path)
    let outside = device?.node == node.path ? device?.systemNode : nil
    return RecipeWriter(
      node: node, outside: outside ?? node.path, wanted: wanted.intersection([.read, .write]),
      subject: access.subject,
      names: Names(account, subject: access.subject)
    ).recipe(for: engine)
  }
}

/// A program that starts other programs in a container or as a service.
///
/// Each engine has its own option names and configuration format.
public enum ContainerEngine: String, Hashable, Sendable, Codable, CaseIterable {
  /// Docker, with the options of docker-run(1).
  case docker
  /// Podman, with the options of podman-run(1).
  case podman
  /// A systemd unit, with the settings of systemd.exec(5) and systemd.resource-control(5).
  case systemd
  /// Kubernetes, with the lines of a pod manifest.
  case kubernetes
}

/// Writes the options or settings of each engine for one node.
struct RecipeWriter: Sendable {
  let node: Node
  /// The path of the node on the host, which can differ from its path in the container.
  let outside: String
  let wanted: Permissions
  let subject: Subject
  let names: Names

  private var letters: String { ContainerOptions.letters(wanted) }
  private var words: String { words(with: "and") }
  private func words(with last: String) -> String { wanted.words(isDirectory: false, with: last) }
  private var number: DeviceNumber { node.rdev ?? DeviceNumber(major: 0, minor: 0) }
  private var type: String { node.type == .blockDevice ? "b" : "c" }
  private var path: String { node.path }

  /// A Boolean value that indicates whether the program needs the group of the node.
  ///
  /// The group is not needed if all users have access, and does not help if it lacks access itself.
  /// Group 0 is never suggested.
  private var takesGroup: Bool { isForGroup && node.gid != 0 }

  private var isForGroup: Bool {
    !isOpenToAll && node.owningGroupPermissions.isSuperset(of: wanted)
  }

  private var isOpenToAll: Bool {
    Permissions(rawValue: UInt8(truncatingIfNeeded: node.mode & 7)).isSuperset(of: wanted)
  }

  func recipe(for engine: ContainerEngine) -> ContainerRecipe {
    var recipe = ContainerRecipe(engine: engine, node: node, lines: [], notes: [])
    guard isPlain else {
      recipe.notes = ["The path cannot be written in these forms; use a link with a plain name."]
      return recipe
    }
    switch engine {
    case .docker: writeDocker(&recipe)
    case .podman: writePodman(&recipe)
    case .systemd: writeSystemd(&recipe)
    case .kubernetes: writeKubernetes(&recipe)
    }
    if let note = ownerNote { recipe.notes.append(note) }
    return recipe
  }

  /// A note for a node that cannot be opened with a supplementary group.
  private var ownerNote: String? {
    if isOpenToAll || takesGroup { return nil }
    if isForGroup {
      // Do not suggest group 0: its members can read and write many other files.
      return """
        Only group root (0) and the owner \(names.user(node.uid)) may \(words) it \
        (\(node.octalMode)): give the node its own group with a udev rule, or run the program \
        as user \(node.uid).
        """
    }
    return """
      Neither the group nor others may \(words(with: "or")) it (\(node.octalMode), owner \
      \(names.user(node.uid))): run the program as user \(node.uid), or add a udev rule for the \
      node.
      """
  }

  private func writeDocker(_ recipe: inout ContainerRecipe) {
    recipe.lines = [deviceOption]
    if takesGroup { recipe.lines.append("--group-add=\(node.gid)") }
    recipe.notes = [
      """
      Instead of --device, for a device that can be replugged: -v /dev:/dev \
      --device-cgroup-rule='\(type) \(number.major):\(number.minor) \(letters)'\
      \(number.isSharedByDrivers
        ? "."
        : "; with \(number.major):* it outlives a replug and covers every device of that number.")
      """
    ]
  }

  private func writePodman(_ recipe: inout ContainerRecipe) {
    recipe.lines = [deviceOption]
    if takesGroup { recipe.lines.append("--group-add=\(node.gid)") }
    if takesGroup {
      recipe.notes.append(
        """
        Rootless: --group-add=keep-groups instead (with crun; podman before 3.2: \
        --annotation=run.oci.keep_original_groups=1), by a user who is in \
        \(names.group(node.gid)); the node then shows as nogroup inside, and opens all the same.
        """)
    }
    recipe.notes.append(
      """
      As root, for a device that can be replugged: -v /dev:/dev \
      --device-cgroup-rule='\(type) \(number.major):\(number.minor) \(letters)'. Rootless there is \
      no such rule, and none is needed.
      """)
  }

  private func writeSystemd(_ recipe: inout ContainerRecipe) {
    // systemd ignores the setting for other paths (`is_deviceallow_pattern`).
    guard path.hasPrefix("/dev/") else {
      recipe.notes = ["DeviceAllow= takes only paths under /dev, and this node is elsewhere."]
      return
    }
    recipe.lines = ["[Service]", "DevicePolicy=closed", "DeviceAllow=\(path) \(letters)"]
    if takesGroup { recipe.lines.append("SupplementaryGroups=\(names.groupWord(node.gid))") }
    recipe.notes = [
      "PrivateDevices=yes hides the node, unless BindPaths=-\(path) binds it in.",
      """
      DeviceAllow= means \(type) \(number.major):\(number.minor) as it is when the unit starts, \
      and does not change the node's permissions.
      """,
    ]
    if let driver = node.driverClass {
      recipe.notes.append(
        """
        For a device that can be replugged: DeviceAllow=char-\(driver) \(letters), which means every \
        device of major number \(number.major).
        """)
    }
  }

  private func writeKubernetes(_ recipe: inout ContainerRecipe) {
    recipe.lines = ["spec:"]
    if takesGroup {
      recipe.lines += ["  securityContext:", "    supplementalGroups: [\(node.gid)]"]
    }
    recipe.lines += [
      "  containers:", "  - name: app", "    volumeMounts:", "    - name: device",
      "      mountPath: \(path)", "  volumes:", "  - name: device", "    hostPath:",
      "      path: \(outside)",
      "      type: \(node.type == .blockDevice ? "BlockDevice" : "CharDevice")",
    ]
    recipe.notes = [
      """
      A volume passes the node, but does not allow it in the device cgroup \
      (\(type) \(number.major):\(number.minor) \(letters)). "privileged: true" would allow it, and \
      every other device too: the right way is a device plugin, or a driver for dynamic resource \
      allocation with a CDI file, from which the container requests the device.
      """
    ]
  }

  private var deviceOption: String {
    ContainerOptions.deviceOption(path, outside: outside, letters)
  }

  /// A Boolean value that indicates whether the path needs no quoting in a shell, a unit or YAML.
  private var isPlain: Bool {
    (path + outside).utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || [0x2F, 0x2E, 0x2D, 0x5F, 0x2B].contains(byte)
    }
  }
}
