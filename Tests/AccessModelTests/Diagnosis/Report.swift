import AccessModel
import Testing

/// A public report of a failure, re-told as facts.
///
/// What a report does not say is filled in as it is on such a machine.
struct Report: CustomTestStringConvertible, Sendable {
  /// The public thread.
  var source: String
  /// The cause that the thread found, in this package's vocabulary.
  var found: CauseCode
  /// The cause to report first, where the facts tell a nearer one than the thread.
  var first: CauseCode
  var facts: AccessFacts

  init(
    _ source: String, _ found: CauseCode, first: CauseCode? = nil, from: Fixtures = .camera,
    _ change: (inout Fixtures) -> Void
  ) {
    self.source = source
    self.found = found
    self.first = first ?? found
    facts = from.with(change).facts
  }

  var testDescription: String { source }
}

extension Fixtures {
  /// A device of another subsystem, known to udev and asked for by its path.
  fileprivate mutating func askDevice(
    _ path: String, subsystem: String, mode: UInt16 = 0o660, gid: UInt32 = 0,
    tags: [String] = ["seat"], isInitialized: Bool = true
  ) {
    ask(path, mode: mode, gid: gid)
    let name = path.split(separator: "/").last.map(String.init) ?? path
    var device = DeviceFacts(
      node: path, sysfsPath: "/sys/devices/\(name)", subsystem: subsystem, kernelName: name,
      isInitialized: isInitialized)
    device.number = DeviceNumber(major: 250, minor: 0)
    device.tags = tags
    device.currentTags = tags
    device.classify()
    facts.devices = [device]
  }

  /// In a container, where logind and its sessions do not show.
  fileprivate mutating func contain(_ container: String) {
    facts.confinement.container = container
    facts.session = nil
    facts.account.loginGroups = nil
  }

  /// In a user namespace that maps the user's own numbers alone.
  fileprivate mutating func unmap() {
    let map = IDMap([IDMap.Range(inside: 0, outside: Fixtures.alice, length: 1)])
    facts.access.subject.userNamespace = IDMapping(users: map, groups: map)
  }

  /// In a container whose group of that name has another number than the node's.
  fileprivate mutating func renumber(_ name: String, node: UInt32, inside: UInt32) {
    facts.account.groupNames = facts.account.groupNames.filter { $0.value != name }
    facts.account.groupNames[node] = nil
    facts.account.groupNames[inside] = name
    join(inside)
  }

  /// As a systemd service.
  fileprivate mutating func serve(_ unit: String) {
    facts.confinement.unit = unit
    session(nil, seat: nil, active: nil)
  }

  /// As the user in front of the machine.
  fileprivate mutating func sit() {
    session("2", isActive: true, active: Fixtures.alice)
  }

  /// Without the node that udev knows.
  fileprivate mutating func hide() {
    facts.access.nodes.removeAll { $0.path == "/dev/video0" }
  }

  fileprivate mutating func askAbsent(_ path: String) {
    ask(path, .regular)
    facts.access.nodes.removeAll { $0.path == path }
  }
}

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
      $0.ask("/dev/dma_heap/system", mode: 0o600)
      $0.join(Fixtures.video)
    },
    Report("bitsy-ai/printnanny-os#28", .auxNode) {
      $0.ask("/dev/dma_heap/linux,cma", mode: 0o600)
      $0.join(Fixtures.video)
    },
    Report("devDucks/astroarch#104", .auxNode) {
      $0.askDevice("/dev/dma_heap/system", subsystem: "dma_heap", mode: 0o600)
      $0.join(Fixtures.video)
      $0.sit()
    },
    Report("christianrauch/camera_ros#51", .auxNode) {
      $0.ask("/dev/dma_heap/linux,cma", mode: 0o600)
    },
    Report("systemd/systemd#21054", .auxNode) {
      $0.askDevice("/dev/media0", subsystem: "media", gid: Fixtures.video)
      $0.sit()
    },
  ]

  static let seats: [Report] = [
    Report("teamfinalmouse/xpanel-linux-permissions#5", .uaccessNotTagged) {
      $0.askDevice("/dev/hidraw0", subsystem: "hidraw", mode: 0o600, tags: ["seat", "uaccess"])
      $0.sit()
    },
    Report("liquidctl/liquidctl#889", .uaccessNotTagged) {
      $0.askDevice("/dev/hidraw0", subsystem: "hidraw", mode: 0o600)
      $0.sit()
    },
    Report("the-via/releases#5", .uaccessNotTagged) {
      $0.askDevice("/dev/hidraw0", subsystem: "hidraw", mode: 0o600)
      $0.sit()
    },
    // The thread found the race of two daemons; its result is an entry for the wrong user.
    Report("systemd/systemd#36408", .aclStale, first: .aclAbsent) {
      $0.sit()
      $0.list([ACLEntry(.user, Fixtures.bob, [.read, .write])])
    },
    Report("ConsoleKit2/ConsoleKit2#105", .uaccessNotActive) {
      $0.askDevice(
        "/dev/bus/usb/001/004", subsystem: "usb", mode: 0o600, tags: ["seat", "uaccess"])
      $0.facts.session = SessionFacts(isLogindRunning: false)
    },
  ]

  static let layers: [Report] = [
    Report("fwupd/fwupd#8265", .cgroupDevice, first: .unitPrivateDevices) {
      $0.ask("/dev/sda", .blockDevice)
      $0.facts.access.subject = Subject(uid: 0, gid: 0)
      $0.serve("fwupd.service")
      $0.check([.read, .write], 1)
    },
    Report("lowRISC/container-hotplug#14", .cgroupDevice) {
      $0.contain("containerd")
      $0.askDevice("/dev/dri/renderD128", subsystem: "drm", mode: 0o666)
      $0.check([.read, .write], 1)
    },
    Report("intel/intel-device-plugins-for-kubernetes#1378", .cgroupDevice) {
      $0.contain("kubernetes")
      $0.join(Fixtures.video)
      $0.check([.read, .write], 1)
    },
    Report("systemd/systemd#13857", .unitPrivateDevices) {
      $0.ask("/dev/tty0", mode: 0o620, gid: 5)
      $0.facts.access.subject = Subject(uid: 0, gid: 0)
      $0.serve("console.service")
      $0.check([.read, .write], 1)
    },
    Report("kreuzwerker/terraform-provider-docker#975", .containerHotplug) {
      $0.contain("docker")
      $0.join(Fixtures.video)
      $0.node { $0.rdev = DeviceNumber(major: 81, minor: 9) }
      $0.check([.read, .write], 1)
    },
    Report("lxc/incus#3014", .mountNodev) {
      $0.contain("lxc")
      $0.ask("/tmp/dev/null", mode: 0o666)
      var mount = Mount(at: "/tmp", fstype: "tmpfs")
      mount.superblockNodev = true
      $0.facts.access.mounts.append(mount)
      $0.check([.read, .write], 0)
    },
    Report("paroj/pose_calib#2", .snapInterface) {
      $0.contain("snap")
      $0.join(Fixtures.video)
      $0.facts.confinement.label = "snap.posecalib.posecalib (enforce)"
      $0.check([.read, .write], 1)
    },
    Report("RocketChat/Rocket.Chat.Electron#1278", .snapInterface) {
      $0.contain("snap")
      $0.hide()
    },
    Report("maltejur/discord-screenaudio#46", .flatpakDevice) {
      $0.contain("flatpak")
      $0.hide()
    },
    Report("libretime/libretime#2242", .unitProtectHome, from: .album()) {
      $0.node("/home") { $0.mode = 0 }
      $0.facts.access.mounts.append(Mount(at: "/home", fstype: "tmpfs"))
      $0.serve("libretime-api.service")
    },
  ]

  static let nodes: [Report] = [
    Report("qTox/qTox#6058", .wrongNodeMetadata, first: .wrongNodeMetadata, Self.metadata),
    Report("OpenShot/openshot-qt#6101", .wrongNodeMetadata, Self.metadata),
    Report("TheImagingSource/tiscamera#575", .wrongNodeMetadata, Self.metadata),
    Report("omacom/omarchy#6732", .wrongNodePipeline) {
      $0.device { $0.driver = "intel_ipu7_isys.isys" }
    },
    Report("v4l2loopback/v4l2loopback#193", .loopbackCaps) {
      $0.device {
        $0.driver = "v4l2loopback"
        $0.properties["ID_V4L_CAPABILITIES"] = ":video_output:"
      }
    },
    Report("OpenAgricultureFoundation/openag_brain#178", .nodeRenumbered, Self.renumbered),
    Report("opencv/opencv#10546", .nodeRenumbered, Self.renumbered),
  ]

  /// The second node of a webcam, which a user may open and which gives no picture.
  private static func metadata(_ fixture: inout Fixtures) {
    fixture.join(Fixtures.video)
    fixture.addCamera(1)
    fixture.device(1) { $0.index = 1 }
    fixture.facts.kind = nil
    fixture.facts.access.request = .open(path: "/dev/video1", flags: [.readWrite])
  }

  /// The camera was video4 and is video0 since the replug.
  private static func renumbered(_ fixture: inout Fixtures) {
    fixture.join(Fixtures.video)
    fixture.facts.kind = nil
    fixture.facts.access.request = .open(path: "/dev/video4", flags: [.readWrite])
  }

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

  /// Hardware, modules, the portal and devices in use.
  static let hardware: [Report] = [
    Report(
      "balena-io-experimental/balena-rpi-python-picamera#5", .moduleLoadRefused,
      Self.refusedModule("bcm2835_v4l2", container: "docker")),
    Report(
      "v4l2loopback/v4l2loopback#303", .moduleLoadRefused, Self.refusedModule("v4l2loopback")),
    Report(
      "v4l2loopback/v4l2loopback#306", .moduleLoadRefused, Self.refusedModule("v4l2loopback")),
    Report("homebridge-plugins/homebridge-camera-ffmpeg#1401", .busy, Self.used),
    Report("soyersoyer/cameractrls#96", .busy, Self.used),
    Report("awslabs/amazon-kinesis-video-streams-producer-sdk-cpp#463", .busy, Self.used),
    Report("gosku/Filmcase#22", .busy) {
      $0.askDevice("/dev/bus/usb/001/004", subsystem: "usb", mode: 0o664, gid: Fixtures.video)
      $0.join(Fixtures.video)
      $0.try(.stream, 16)
    },
    Report("yarda/printrun-webmon#7", .selinux) {
      $0.join(Fixtures.video)
      $0.check([.read, .write], 0)
      $0.facts.confinement.securityModules = ["capability", "selinux"]
      $0.facts.confinement.label = "system_u:system_r:httpd_t:s0"
      $0.try(.stream, 13)
    },
  ]

  /// No module made a node: the kernel refused it.
  private static func refusedModule(
    _ name: String, container: String? = nil
  ) -> (inout Fixtures) -> Void {
    { fixture in
      if let container { fixture.contain(container) }
      fixture.removeDevices()
      var hardware = HardwareFacts()
      hardware.modules = [
        HardwareFacts.Module(name: name, isLoaded: false, isInstalled: true, loadErrno: 1)
      ]
      fixture.facts.hardware = hardware
    }
  }

  /// The camera may be opened, and another program streams from it.
  private static func used(_ fixture: inout Fixtures) {
    fixture.join(Fixtures.video)
    fixture.check([.read, .write], 0)
    fixture.try(.stream, 16)
  }

  static let all = groups + owners + seats + layers + nodes + albums + hardware

  /// Reports that no facts of this kind can explain, and why.
  static let undecidable: [String: String] = [
    "dorssel/usbipd-win#206": "whether an interface without a driver was there is not said",
    "google-coral/edgetpu#520": "for which kernels the module was built is not said",
    "roddhjav/apparmor.d#950": "the profile was in complain mode, which lets everything through",
    "flatpak/xdg-desktop-portal#1340": "whether the program was in a sandbox is not said",
    "raspberrypi/rpicam-apps#628": "which other node is refused is not said",
    "jacksonliam/mjpg-streamer#390": "the node came later: one moment cannot tell",
    "EmixamPP/linux-enable-ir-emitter#1": "the node came later: one moment cannot tell",
    "flathub/com.google.Chrome#480": "the cause is the reporter's belief",
    "bluecherrydvr/bluecherry-docker#32": "mount(2) was refused, not a node",
  ]
}
