import AccessModel
import Glibc
import LinuxTestSupport
import Testing

@testable import LinuxDevices

@Suite struct `A file in a place of somebody else` {
  /// Detects whether a file has been opened; opening it with `O_PATH` does not count.
  private struct OpenWatch: ~Copyable {
    private let descriptor: Int32

    init(_ path: String) throws {
      descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
      guard unsafe inotify_add_watch(descriptor, path, UInt32(IN_OPEN)) >= 0 else {
        throw SystemError(call: "inotify_add_watch", errno: errno)
      }
    }

    deinit { close(descriptor) }

    func sawOpen() throws -> Bool {
      var buffer = [UInt8](repeating: 0, count: 4096)
      return unsafe read(descriptor, &buffer, 4096) > 0
    }
  }

  private static let flatpak = "[Application]\nname=org.example.App\n"

  private func foreign(_ user: UInt32? = geteuid()) -> ForeignFile {
    ForeignFile(user: user, limit: 4096)
  }

  private func container(in root: String) -> String? {
    ContainerObserver(
      roots: MachineRoots(), root: root, environment: { _ in nil }, mounts: MountTable(parsing: []),
      process: nil, user: geteuid()
    ).container(cgroup: nil, label: nil)
  }

  @Test func `may have the greatest size that there is`() throws {
    let place = try TemporaryDirectory()
    let path = try place.file("sparse", "words")
    try SystemError.check(unsafe truncate(path, .max), "truncate")
    let contents = try BoundedFile.read(path, limit: 8)
    #expect(contents.isTruncated && contents.bytes == Array("words".utf8) + [0, 0, 0])
  }

  @Test func `is not opened unless it is a regular file`() throws {
    let place = try TemporaryDirectory()
    let queue = "\(place.path)/queue"
    try SystemError.check(unsafe mkfifo(queue, 0o666), "mkfifo")
    try place.link("link", to: queue)
    let watch = try OpenWatch(queue)
    for name in ["queue", "link"] {
      #expect(throws: Errno.badDescriptor) {
        try BoundedFile.readHeld("\(place.path)/\(name)", limit: 8)
      }
    }
    #expect(throws: Errno.badDescriptor) { try foreign().read("/queue", below: place.path) }
    let sawNone = try !watch.sawOpen()
    #expect(sawNone)
    _ = try? BoundedFile.read(queue, limit: 8)
    let sawOne = try watch.sawOpen()
    #expect(sawOne)
  }

  @Test func `is not read through a link`() throws {
    let root = try TemporaryDirectory()
    try root.file("a/file", "text")
    try root.link("link", to: "a/file")
    try root.link("b", to: "a")
    let file = foreign()
    #expect(try file.read("/a/file", below: root.path).bytes == Array("text".utf8))
    #expect(throws: Errno.tooManyLinks) { try file.read("/link", below: root.path) }
    #expect(throws: Errno.tooManyLinks) { try file.read("/b/file", below: root.path) }
  }

  @Test func `is not read from procfs`() throws {
    #expect(throws: Errno.badDescriptor) { try foreign().read("/proc/version", below: "") }
  }

  @Test(.requiresRoot) func `is read only where its user could`() throws {
    let root = try TemporaryDirectory()
    let path = try root.file("file", "text", mode: 0o600)
    #expect(throws: Errno.permissionDenied) { try foreign(4242).read("/file", below: root.path) }
    #expect(throws: Errno.permissionDenied) { try foreign(nil).read("/file", below: root.path) }
    try SystemError.check(unsafe chown(path, 4242, 4242), "chown")
    #expect(try foreign(4242).read("/file", below: root.path).bytes.count == 4)
    try root.setMode(0o604, of: path)
    #expect(try foreign(nil).read("/file", below: root.path).bytes.count == 4)
  }

  @Test func `of a home may be behind links within it`() throws {
    let place = try TemporaryDirectory()
    let text = "XDG_PICTURES_DIR=\"$HOME/Bilder\"\n"
    try place.file("outside", text)
    try place.file("home/dotfiles/user-dirs.dirs", text)
    try place.directory("home/.config")
    let home = "\(place.path)/home"
    let other = AlbumObserver(environment: { _ in nil }, otherUser: geteuid())
    try place.link("home/.config/user-dirs.dirs", to: "../dotfiles/user-dirs.dirs")
    #expect(other.observe(home: home).path == "\(home)/Bilder")
    for target in ["../../outside", "\(place.path)/outside", "/dev/null"] {
      unsafe unlink("\(home)/.config/user-dirs.dirs")
      try place.link("home/.config/user-dirs.dirs", to: target)
      let album = other.observe(home: home)
      #expect(album.path == "\(home)/Pictures")
      #expect(album.problem?.contains("out of the home directory") == true)
    }
    // Users may link their own file to any place.
    unsafe unlink("\(home)/.config/user-dirs.dirs")
    try place.link("home/.config/user-dirs.dirs", to: "../../outside")
    #expect(AlbumObserver { _ in nil }.observe(home: home).path == "\(home)/Bilder")
  }

  @Test(arguments: [
    ("podman\n", "podman"), ("lxc-libvirt", "lxc-libvirt"), ("wsl\n", nil), ("", nil),
    ("root:*:19000:0\n", nil),
    ("two words", nil), ("é", nil), (String(repeating: "a", count: 64), "64"),
    (String(repeating: "a", count: 65), nil), ("podman\nroot:*:1\n", nil),
  ])
  func `names a container in one word`(text: String, name: String?) throws {
    let root = try TemporaryDirectory()
    try root.file("run/systemd/container", text)
    #expect(container(in: root.path) == (name == "64" ? text : name))
  }

  @Test func `names no container through a link`() throws {
    let root = try TemporaryDirectory()
    try root.file("secret", "secret\n")
    try root.directory("run/systemd")
    for target in ["/etc/hostname", "../../secret", "\(root.path)/secret"] {
      try root.link("run/systemd/container", to: target)
      #expect(container(in: root.path) == nil)
      unsafe unlink("\(root.path)/run/systemd/container")
    }
  }

  @Test func `describes a flatpak only where it is a file of its root directory`() throws {
    let proc = try TemporaryDirectory()
    try proc.file("7/stat", "7 (x) S 1 7 7 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 100 0 0 0 0 0 0 0 0 0\n")
    try proc.file("7/mountinfo", "1 0 8:1 / / rw - ext4 /dev/sda rw\n")
    try proc.directory("jail")
    try proc.link("7/root", to: "../jail")
    let outside = try proc.file("outside", Self.flatpak)
    let observer = HolderObserver(clock: MachineClock(proc: proc.path))
    let folder = try OpenDirectory("\(proc.path)/7")
    let watch = try OpenWatch(outside)
    try proc.link("jail/.flatpak-info", to: outside)
    #expect(try observer.process(7, in: folder.descriptor).application == nil)
    let sawNone = try !watch.sawOpen()
    #expect(sawNone)
    unsafe unlink("\(proc.path)/jail/.flatpak-info")
    try proc.file("jail/.flatpak-info", Self.flatpak)
    #expect(try observer.process(7, in: folder.descriptor).application == "org.example.App")
  }
}
