import AccessModel
import Testing

@Suite("Fixes that give what was asked for and no more")
struct NeededAccessTests {
  private static func options(_ container: String, _ path: String, reading: Bool) -> [String] {
    Fixtures.camera.with {
      $0.ask(path, mode: 0o666, wanted: reading ? .read : [.read, .write])
      $0.facts.confinement.container = container
      $0.check(reading ? .read : [.read, .write], .notPermitted)
    }.explain().remedies.flatMap(\.options)
  }

  @Test(arguments: ["docker", "podman"])
  func `a container that reads is not let write`(engine: String) {
    #expect(Self.options(engine, "/dev/cam", reading: true) == ["--device=/dev/cam:/dev/cam:r"])
    #expect(Self.options(engine, "/dev/cam", reading: false) == ["--device=/dev/cam"])
    let bus = "/dev/bus/usb/001/002"
    #expect(Self.options(engine, bus, reading: true).last == "--device-cgroup-rule='c 189:* r'")
    #expect(Self.options(engine, bus, reading: false).last == "--device-cgroup-rule='c 189:* rw'")
  }

  static let settings: [(wanted: Permissions, setting: String)] = [
    (.read, "BindReadOnlyPaths"), ([.read, .write], "BindPaths"),
  ]

  @Test(arguments: settings)
  func `a service that reads is shown its file read-only`(wanted: Permissions, setting: String) {
    let remedies = Fixtures.camera.with {
      $0.ask("/home/alice/a.jpg", .regular, mode: 0o666, wanted: wanted)
      $0.node("/home") { $0.mode = 0 }
      $0.facts.access.mounts.append(Mount(at: "/home", fstype: "tmpfs"))
      $0.facts.confinement.unit = "gallery.service"
    }.explain().remedies
    let words = remedies.flatMap(\.commands).flatMap { ShellWords($0).words }
    #expect(words.contains("\(setting)=-/home/alice/a.jpg"))
  }

  static let files: [(wanted: Permissions, path: String, word: String)] = [
    (.read, "/srv/a.jpg", "/srv/a.jpg:ro"), ([.read, .write], "/srv/a.jpg", "/srv/a.jpg"),
    ([.read, .write], "/srv/pics:create", #"/srv/pics\:create"#),
    (.read, #"/srv/a\b"#, #"/srv/a\\b:ro"#),
    ([.read, .write], "/srv/a:\u{301}create", "/srv/a\\:\u{301}create"),
  ]

  @Test(arguments: files)
  func `a flatpak that reads is given its file read-only`(
    wanted: Permissions, path: String, word: String
  ) throws {
    let remedies = Fixtures.camera.with {
      $0.facts.kind = nil
      $0.add("/srv", .directory)
      $0.facts.access.request = .open(
        path: path, flags: wanted.contains(.write) ? [.readWrite] : [.readOnly])
      $0.facts.confinement.container = "flatpak"
      $0.facts.confinement.application = ApplicationFacts(name: "org.example.Pics")
    }.explain().remedies
    let command = try #require(remedies.flatMap(\.commands).first)
    #expect(
      ShellWords(command).words == [
        "flatpak", "override", "--user", "--filesystem=\(word)", "org.example.Pics",
      ])
  }

  @Test func `the fix is for the file that a link leads to, whose name looks the same`() throws {
    let (link, file) = ("/srv/caf\u{E9}", "/srv/cafe\u{301}")
    let remedies = Fixtures.camera.with {
      $0.ask(file, .regular, mode: 0o600, wanted: .read)
      var node = Node(path: link, type: .symbolicLink, mode: 0o777, uid: 0, gid: 0)
      node.target = "cafe\u{301}"
      $0.facts.access.nodes.insert(node, at: $0.facts.access.nodes.count - 1)
      $0.facts.access.request = .open(path: link, flags: [.readOnly])
    }.explain().remedies
    let command = try #require(remedies.flatMap(\.commands).first)
    #expect(command.utf8.reversed().starts(with: "'\(file)'".utf8.reversed()))
  }

  @Test
  func `a drive that is mounted at every boot makes nobody root`() {
    let commands = Fixtures.camera.with {
      $0.ask("/run/media/bob/STICK/a.jpg", .regular, mode: 0o666)
      $0.node("/run/media/bob") { $0.mode = 0o700 }
      var mount = Mount(at: "/run/media/bob/STICK", fstype: "ext4")
      mount.source = "/dev/sdb1"
      $0.facts.access.mounts.append(mount)
    }.explain().remedies.flatMap(\.commands)
    #expect(
      commands.contains(
        #"echo "UUID=$(lsblk -no UUID /dev/sdb1) /srv/STICK ext4 nofail,nosuid,nodev 0 2" "#
          + ">> /etc/fstab"))
  }
}
