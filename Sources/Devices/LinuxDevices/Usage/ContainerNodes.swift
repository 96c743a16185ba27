internal import AccessModel
internal import Glibc

/// Finds containers with their own device nodes, because opening these causes no event on the
/// host's node.
///
/// Docker, Podman and the runtimes of Kubernetes create new nodes in the container's `/dev`. A
/// container is recognized by the name of its control group, which requires neither a privilege nor
/// a scan of all processes. Containers of users, in `user.slice`, cannot have their own nodes,
/// because device nodes do not work in their `/dev`.
package struct ContainerNodes {
  /// The result of a search.
  package struct Found {
    /// The directories where control groups of containers appear, with the prefixes of their names.
    ///
    /// The prefix is empty if any group in the directory may be a container.
    package var places: [String: Set<String>] = [:]
    /// A Boolean value that indicates whether a container has or may have such a node.
    package var isThere = false
  }

  private let roots: MachineRoots
  private let top: String

  /// The maximum number of containers to inspect.
  private static let most = 32
  /// The maximum depth of the containers' control groups, such as those in Kubernetes pods.
  private static let depth = 4

  package init(roots: MachineRoots) {
    self.roots = roots
    let folder = "\(roots.sysfs)/fs/cgroup"
    // Version 2, or systemd's own hierarchy of version 1 (cgroups(7)).
    let isUnified = (try? Directory.names(in: folder))??.contains(ControlGroupFolder.list) ?? false
    top = isUnified ? folder : "\(folder)/systemd"
  }

  /// The prefixes of container names in a slice, where most groups are not containers.
  private static let prefixes: Set<String> = [
    "docker", "libpod", "crio", "cri-containerd", "kubepods",
  ]

  /// Searches for containers that have nodes of the given devices.
  package func scan(for targets: [UseTarget]) -> Found {
    var found = Found()
    var containers: [String] = []
    collect(&found.places, &containers, in: "", depth: Self.depth)
    found.isThere =
      !targets.isEmpty
      && (containers.count > Self.most || containers.contains { hasNode(of: targets, in: $0) })
    return found
  }

  /// Collects the container groups below a group, and the directories where more may appear.
  private func collect(
    _ places: inout [String: Set<String>], _ containers: inout [String], in group: String,
    depth: Int
  ) {
    places[top + group] = group.hasSuffix(".slice") ? Self.prefixes : [""]
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

  /// The groups that contain container groups, besides slices and Kubernetes pods.
  private static let parents: Set<String> = [
    "docker", "lxc", "libpod_parent", "kubepods", "burstable", "besteffort",
  ]

  /// Returns whether a group can contain groups of containers with their own nodes.
  private static func isParent(_ name: String) -> Bool {
    name.hasSuffix(".slice")
      ? name != "user.slice" : parents.contains(name) || name.hasPrefix("pod")
  }

  /// Returns whether a container has its own node of one of the devices, or `true` if that is
  /// unknown.
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
      // A mount inside these directories may be a filesystem that any user serves.
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
