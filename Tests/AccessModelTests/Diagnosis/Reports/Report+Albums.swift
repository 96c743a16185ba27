import AccessModel

/// Reports about pictures.
extension Report {
  static let albums: [Report] = [
    Report("photoview/photoview#1104", .nfsIDMap, from: .album(), Self.served),
    Report("LibrePhotos/librephotos#833", .nfsIDMap, from: .album(), Self.served),
    Report("immich-app/immich#9967", .nfsIDMap, from: .album(mode: 0o777)) {
      $0.facts.access.subject = Subject(uid: 0, gid: 0)
      Self.served(&$0)
    },
    Report("imagegenius/docker-immich#425", .mountReadOnly, from: .album(), Self.readOnly),
    Report("bpatrik/pigallery2#721", .mountReadOnly, from: .album(), Self.readOnly),
    Report("blissd/fotema#164", .albumDirectoryMissing, from: .album()) {
      $0.facts.confinement.container = "flatpak"
      $0.facts.access.nodes.removeAll { $0.path == "/home/alice/Pictures" }
    },
    Report("pop-os/cosmic-epoch#1925", .albumDirectoryMissing, from: .album()) {
      $0.facts.access.nodes.removeAll { $0.path == "/home/alice/Pictures" }
    },
    Report("flathub/com.xnview.XnViewMP#21", .flatpakFilesystem) {
      $0.contain("flatpak")
      $0.askAbsent("/run/media/alice/disk/picture.jpg")
    },
    Report("PintaProject/Pinta#1357", .flatpakFilesystem) {
      $0.contain("flatpak")
      $0.askAbsent("/tmp/img.jpg")
    },
    Report("RawTherapee/RawTherapee#6372", .flatpakFilesystem) {
      $0.contain("flatpak")
      $0.askAbsent("/mnt/photos/raw.nef")
    },
  ]

  private static func served(_ fixture: inout Fixtures) {
    fixture.facts.access.mounts.append(Mount(at: "/home/alice/Pictures", fstype: "nfs4"))
    fixture.check([.read, .write, .search], 13)
  }

  private static func readOnly(_ fixture: inout Fixtures) {
    var mount = Mount(at: "/home/alice/Pictures", fstype: "ext4")
    mount.readOnly = true
    fixture.facts.access.mounts.append(mount)
    fixture.check([.read, .write, .search], 30)
  }
}
