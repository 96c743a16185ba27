import AccessModel
import Testing

@Suite("Fixes that give what was asked for and no more")
struct NeededAccessTests {
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
