import AccessModel
import LinuxTestSupport
import Testing

@testable import DeviceWatching
@testable import LinuxDevices

/// A real process with its own `/dev`, in a control group that consists of files.
@Suite(.serialized, .requiresRoot, .requiresPrivateMounts, .timeLimit(.minutes(5)))
struct `Nodes of containers` {
  private func target(_ path: String) throws -> [UseTarget] {
    try UseTargetFinder(roots: MachineRoots()).devices(of: .path(path))
  }

  /// Starts a program with its own node of `/dev/urandom` and this machine's node of `/dev/full`.
  private func container() async throws -> ChildProcess {
    let child = try await ChildProcess(
      """
      exec unshare -m sh -c 'mount --bind /dev /mnt && mount -t tmpfs none /dev && \
      mknod /dev/camera c 1 9 && : >/dev/full && mount --bind /mnt/full /dev/full && exec cat'
      """)
    try await child.becomes("cat")
    return child
  }

  private func roots(_ directory: borrowing TemporaryDirectory) throws -> MachineRoots {
    try directory.file("sys/fs/cgroup/cgroup.procs")
    // A container of a user's own engine, and a group that is not a container.
    try directory.file("sys/fs/cgroup/user.slice/user-1000.slice/libpod-1.scope/cgroup.procs")
    try directory.file("sys/fs/cgroup/system.slice/cron.service/cgroup.procs")
    var roots = MachineRoots()
    roots.sysfs = "\(directory.path)/sys"
    return roots
  }

  @Test func `are found by the name of its control group`() async throws {
    let directory = try TemporaryDirectory()
    let nodes = ContainerNodes(roots: try roots(directory))
    let place = "\(directory.path)/sys/fs/cgroup"
    #expect(!nodes.scan(for: try target("/dev/urandom")).isThere)
    let child = try await container()
    let group = "sys/fs/cgroup/system.slice/docker-0a1b.scope"
    try directory.file("\(group)/cgroup.procs", "\(child.number)\n")
    let found = nodes.scan(for: try target("/dev/urandom"))
    #expect(found.places.keys.sorted() == [place, "\(place)/system.slice"] && found.isThere)
    #expect(!nodes.scan(for: try target("/dev/zero")).isThere)
    // The programs are in a group inside the container.
    try directory.file("\(group)/cgroup.procs")
    #expect(!nodes.scan(for: try target("/dev/urandom")).isThere)
    try directory.file("\(group)/inner/cgroup.procs", "\(child.number)\n")
    #expect(nodes.scan(for: try target("/dev/urandom")).isThere)
  }

  @Test func `are no others where the node here was mounted`() async throws {
    let directory = try TemporaryDirectory()
    let nodes = ContainerNodes(roots: try roots(directory))
    let child = try await container()
    try directory.file("sys/fs/cgroup/docker/0a1b/cgroup.procs", "\(child.number)\n")
    #expect(!nodes.scan(for: try target("/dev/full")).isThere)
    #expect(nodes.scan(for: try target("/dev/urandom")).isThere)
  }

  @Test(arguments: [
    "system.slice/docker-0a1b.scope", "docker/0a1b",
    "kubepods.slice/kubepods-pod1.slice/crio-2.scope",
  ])
  func `have a watch look after each interval for as long as one is there`(
    name: String
  ) async throws {
    let directory = try TemporaryDirectory()
    let group = "sys/fs/cgroup/\(name)"
    // The engine's own group has existed for a long time.
    try directory.directory(group.split(separator: "/").dropLast().joined(separator: "/"))
    let watch = LinuxUseWatch([.path("/dev/urandom")], roots: try roots(directory)) { _ in nil }
    func gaps() throws -> [String] {
      try watch.scan(pollingEvery: .milliseconds(10)).gaps.map(\.reason)
        .filter { $0.contains("container") }
    }
    #expect(try gaps() == [])
    let child = try await container()
    try directory.file("\(group)/cgroup.procs", "\(child.number)\n")
    // The new group is reported, and the container appears soon after.
    while try gaps() == [] {
      for await _ in watch.signals { break }
    }
    try directory.file("\(group)/cgroup.procs")
    while try gaps() != [] {
      for await _ in watch.signals { break }
    }
  }
}
