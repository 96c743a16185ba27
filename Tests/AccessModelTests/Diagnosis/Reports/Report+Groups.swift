import AccessModel

/// Reports about groups, owners and modes.
extension Report {
  static let groups: [Report] = [
    Report("mpromonet/webrtc-streamer#663", .groupNotMember) { $0.contain("docker") },
    Report("libcamera-org/libcamera#6", .groupNotMember) {
      $0.askDevice("/dev/dma_heap/system", subsystem: "dma_heap", gid: Fixtures.video)
    },
    Report("home-assistant/supervisor#184", .groupNotMember) {
      $0.askDevice("/dev/vchiq", subsystem: "vchiq", gid: Fixtures.video)
      $0.serve("home-assistant.service")
    },
    Report("dividuum/info-beamer#50", .groupNotMember) {
      $0.askDevice("/dev/vchiq", subsystem: "vchiq", gid: Fixtures.video)
    },
    Report("metal3-io/metal3-dev-env#1317", .groupNotRefreshed) {
      $0.ask("/run/libvirt/libvirt-sock", .socket, gid: 122)
      $0.join(4)
      $0.facts.account.groupNames[122] = "libvirt"
      $0.facts.account.loginGroups?.append(122)
    },
    Report("Nicceboy/gamify-containers#3", .gidMismatch) {
      $0.contain("docker")
      $0.askDevice("/dev/dri/card0", subsystem: "drm", gid: Fixtures.video)
      $0.renumber("video", node: Fixtures.video, inside: 39)
    },
    Report("git-developer/ti-cc-tool#10", .gidMismatch) {
      $0.contain("docker")
      $0.askDevice("/dev/ttyUSB0", subsystem: "tty", gid: 18)
      $0.facts.account.groupNames[18] = "audio"
      $0.join(20)
    },
    Report("mkuf/prind#96", .gidMismatch) {
      $0.contain("docker")
      $0.node { $0.gid = 27 }
      $0.join(Fixtures.video)
    },
    Report("jellyfin/jellyfin.org#982", .gidMismatch, first: .usernsUnmapped) {
      $0.contain("lxc")
      $0.askDevice("/dev/dri/card0", subsystem: "drm", gid: Fixtures.video)
      $0.renumber("video", node: Fixtures.video, inside: 100_044)
      $0.unmap()
    },
    Report("hashicorp/nomad-driver-podman#390", .groupsDropped) {
      $0.facts.confinement.container = "podman"
      $0.unmap()
      $0.facts.account.loginGroups = [Fixtures.alice, Fixtures.video]
    },
    Report("podman-container-tools/podman#10166", .usernsUnmapped) {
      $0.contain("podman")
      $0.askDevice("/dev/dri/card0", subsystem: "drm", gid: Fixtures.video)
      $0.unmap()
    },
  ]

  static let owners: [Report] = [
    Report("docker/for-win#13940", .modeOwner, first: .containerNoAccess) {
      $0.contain("docker")
      $0.join(Fixtures.video)
      $0.node { node in
        node.mode = 0o600
        node.gid = 0
      }
    },
    Report("realsenseai/librealsense#10506", .modeOwner) {
      $0.askDevice(
        "/dev/bus/usb/001/002", subsystem: "usb", mode: 0o600, tags: [], isInitialized: false)
    },
    Report("canonical/lxd#11236", .containerNoAccess) {
      $0.contain("lxc")
      $0.askDevice("/dev/dri/card0", subsystem: "drm")
    },
    Report("systemd/systemd#21151", .unitDynamicUser) {
      $0.askDevice("/dev/ttyACM0", subsystem: "tty", gid: 20)
      $0.facts.access.subject = Subject(uid: 61_500, gid: 61_500)
      $0.serve("meter.service")
    },
    Report("qualcomm-linux/meta-qcom#1552", .auxNode) {
      $0.askPipeline(heap: "/dev/dma_heap/system", mode: 0o600)
      $0.join(Fixtures.video)
    },
    Report("bitsy-ai/printnanny-os#28", .auxNode) {
      $0.askPipeline(heap: "/dev/dma_heap/linux,cma", mode: 0o600)
      $0.join(Fixtures.video)
    },
    Report("devDucks/astroarch#104", .auxNode) {
      $0.askPipeline(heap: "/dev/dma_heap/system", mode: 0o600)
      $0.join(Fixtures.video)
      $0.sit()
    },
    Report("christianrauch/camera_ros#51", .auxNode) {
      $0.askPipeline(heap: "/dev/dma_heap/linux,cma", mode: 0o600)
    },
    Report("systemd/systemd#21054", .auxNode) {
      $0.addController()
      $0.list([ACLEntry(.user, Fixtures.alice, [.read, .write])])
      $0.sit()
    },
  ]
}
