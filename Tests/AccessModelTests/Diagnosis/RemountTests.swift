import AccessModel
import Testing

@Suite("Commands that mount something again")
struct RemountTests {
  /// Returns the commands for a private file of root on a read-only mount.
  private static func file(
    _ wanted: Permissions, filesystem isReadOnly: Bool
  ) -> [[String]] {
    Fixtures.camera.with {
      $0.ask("/srv/file", .regular, mode: 0o600, wanted: wanted)
      var mount = Mount(at: "/srv", fstype: "ext4")
      mount.readOnly = true
      mount.superblockReadOnly = isReadOnly
      $0.facts.access.mounts.append(mount)
    }.explain().remedies.map(\.commands)
  }

  // A plain `remount,ro` would make the filesystem read-only everywhere it is mounted.
  @Test(arguments: [(false, "remount,bind"), (true, "remount")])
  func `change the filesystem only where it is read-only itself`(
    isReadOnly: Bool, option: String
  ) {
    #expect(
      Self.file([.read, .write], filesystem: isReadOnly).first == [
        "mount -o \(option),rw /srv", "setfacl -m u:alice:rw /srv/file",
      ])
    #expect(
      Self.file(.read, filesystem: isReadOnly).first == [
        "mount -o \(option),rw /srv", "setfacl -m u:alice:r /srv/file",
        "mount -o \(option),ro /srv",
      ])
  }

  @Test
  func `for a container are its engine's, whatever is read-only`() {
    for isReadOnly in [false, true] {
      let titles = Fixtures.camera.with {
        $0.ask("/srv/file", .regular, mode: 0o666)
        var mount = Mount(at: "/srv", fstype: "ext4")
        mount.readOnly = true
        mount.superblockReadOnly = isReadOnly
        $0.facts.access.mounts.append(mount)
        $0.facts.confinement.container = "docker"
      }.explain().remedies.filter(\.isProven).map(\.title)
      #expect(
        titles == [
          isReadOnly
            ? "Mount the filesystem behind /srv writable, outside the container"
            : "Start the container with the volume at /srv writable (without \":ro\" in its option)"
        ])
    }
  }
}
