internal import AccessModel
internal import Glibc

/// Finds containers with a device node of their own: opens through it are no events of the node here.
///
/// Docker, Podman and the runtimes of Kubernetes make the nodes that they give to a container anew, in a
/// `/dev` of its own. A container is known by the name of its control group, so that this takes neither a
/// privilege nor a look at every process. Those of a user, below `user.slice`, cannot have nodes of their
/// own: their `/dev` is one where nodes open nothing.
struct ContainerNodes {
  /// What was found.
  struct Found {
    /// The directories in which control groups of containers appear, with the names that matter.
    var places: [String: WatchedNames] = [:]
    /// Whether a container has such a node, or may have one.
    var isThere = false
  }

  private let roots: MachineRoots
  private let top: String

  /// More than this many containers are not looked into.
  private static let most = 32
  /// How deep the groups of containers are, such as those of the pods of Kubernetes.
  private static let depth = 4

  init(roots: MachineRoots) {
    self.roots = roots
    let folder = "\(roots.sysfs)/fs/cgroup"
    // Version 2, or systemd's own hierarchy of version 1 (cgroups(7)).
    let isUnified = (try? Directory.names(in: folder))??.contains(ControlGroupFolder.list) ?? false
    top = isUnified ? folder : "\(folder)/systemd"
  }

  /// What the names of containers begin with in a slice, where most groups are others.
  private static let names = WatchedNames.beginning(with: [
    "docker", "libpod", "crio", "cri-containerd", "kubepods",
  ])

  /// Looks for containers with nodes of some devices.
  func look(for targets: [UseTarget]) -> Found {
    var found = Found()
    var containers: [String] = []
    collect(&found.places, &containers, in: "", depth: Self.depth)
    found.isThere =
      !targets.isEmpty
      && (containers.count > Self.most || containers.contains { hasNode(of: targets, in: $0) })
    return found
  }

  /// Collects the groups of containers below one, and the places where others can appear.
  private func collect(
    _ places: inout [String: WatchedNames], _ containers: inout [String], in group: String,
    depth: Int
  ) {
    places[top + group] = group.hasSuffix(".slice") ? Self.names : .all
    guard depth > 0 else { return }
    for name in ControlGroupFolder(path: top + group).names {
      let inner = "\(group)/\(name)"
      if Self.isParent(name) {
        collect(&places, &containers, in: inner, depth: depth - 1)
      } else if ContainerObserver.engine(inControlGroup: inner) != nil {
        containers.append(inner)
      }
    }
  }

  /// The groups that hold those of containers, besides slices and the pods of Kubernetes.
  private static let parents: Set<String> = [
    "docker", "lxc", "libpod_parent", "kubepods", "burstable", "besteffort",
  ]

  /// Whether a group can hold those of containers with nodes of their own.
  private static func isParent(_ name: String) -> Bool {
    name.hasSuffix(".slice")
      ? name != "user.slice" : parents.contains(name) || name.hasPrefix("pod")
  }

  /// Whether a container has a node of one of the devices that is not the one here; where that cannot be
  /// told, it may.
  private func hasNode(of targets: [UseTarget], in group: String) -> Bool {
    let processes = ControlGroupFolder(path: top + group).allProcesses(limit: 1)
    guard let process = processes.first else { return false }
    let numbers = Set(targets.map(\.number.number))
    let own = Set(targets.map(\.identity))
    do throws(Errno) {
      let folder = "\(roots.proc)/\(process)"
      let mounts = MountTable(
        parsing: try BoundedFile.read("\(folder)/mountinfo", limit: MountTable.limit).bytes)
      guard let root = mounts.last(at: "/"), let devices = mounts.last(at: "/dev"),
        !root.isDistant, !devices.isDistant
      else { return true }
      // What is mounted in there can be anybody's filesystem.
      for place in ["/dev", "/dev/snd"] where place == "/dev" || mounts.last(at: place) == nil {
        let path = "\(folder)/root\(place)"
        let names = try NumberObserver(roots: roots).nodes(in: path, numbered: numbers)
        for name in names {
          let node = try OpenFile(following: "\(path)/\(name)", in: AT_FDCWD)
          if !own.contains(node.identity) { return true }
        }
      }
      return false
    } catch {
      return !error.isOfEndedProcess
    }
  }
}
