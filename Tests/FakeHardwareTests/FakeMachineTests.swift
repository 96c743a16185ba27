#if UMockdev
  import AccessModel
  import DevicePermissionsTesting
  import Foundation
  import Glibc
  import LinuxTestSupport
  import Testing

  @testable import LinuxDevices

  /// Machines from bug reports, presented to the real libudev.
  ///
  /// Each test has its own child process, because a test bed shows its devices to the whole
  /// process.
  @Suite(.requiresUMockdev) struct FakeMachineTests {
    @Test func `a machine without a camera has no candidate`() async {
      await #expect(processExitsWith: .success) {
        let testbed = try UMockdevTestbed()
        #expect(try LinuxMachine().devices(of: .camera).isEmpty)
        let facts = try LinuxMachine().facts(for: Question(.kind(.camera)))
        #expect(facts.access.request.path == "/dev/video0")
        #expect(facts.access.nodes.last?.path == "/dev")
        _ = testbed.rootDirectory
      }
    }

    @Test func `a name that is taken is an error`() async {
      await #expect(processExitsWith: .success) {
        let testbed = try UMockdevTestbed()
        let hub = try testbed.add(subsystem: "usb", name: "1-1")
        try testbed.add(subsystem: "video4linux", name: "video0", parent: hub)
        #expect(throws: UMockdevError.self) {
          try testbed.add(subsystem: "video4linux", name: "video0", parent: hub)
        }
        #expect(throws: UMockdevError.self) { try testbed.add(subsystem: "usb", name: "1-1") }
        #expect(throws: UMockdevError.self) {
          try testbed.add(subsystem: "video4linux", name: "video0")
        }
        try testbed.add(subsystem: "video4linux", name: "video1")
      }
    }

    @Test func `metadata siblings that claim to capture are no cameras`() async {
      await #expect(processExitsWith: .success) {
        let testbed = try UMockdevTestbed()
        try testbed.add(RecordedMachines.metadataSiblings)
        let devices = try LinuxMachine().devices(of: .camera)
        #expect(devices.map(\.kernelName) == ["video0", "video1", "video2", "video3"])
        #expect(devices.map(\.role) == [.capture, .metadata, .capture, .metadata])
        #expect(devices.map(\.index) == [0, 1, 0, 1])
        #expect(devices.map(\.driver) == Array(repeating: "uvcvideo", count: 4))
        #expect(devices.map(\.bus) == Array(repeating: "usb", count: 4))
        #expect(devices[0].name == "Integrated_Webcam_HD: Integrate")
        #expect(devices[0].number == DeviceNumber(major: 81, minor: 0))
        #expect(devices[0].tags.sorted() == ["seat", "uaccess"])
        // The database of this version of systemd did not contain the current tags.
        #expect(devices[0].currentTags == nil)
        #expect(devices[0].isTaggedForUserAccess)
        let candidates = DeviceKind.camera.candidates(in: devices).map(\.node)
        #expect(candidates == ["/dev/video0", "/dev/video2"])
      }
    }

    /// udev's rules name only the card, once all of its parts exist.
    @Test(.timeLimit(.minutes(1)))
    func `a microphone has the name of its card`() async {
      await #expect(processExitsWith: .success) {
        let testbed = try UMockdevTestbed()
        let card = try testbed.add(
          subsystem: "sound", name: "card1", attributes: ["id": "Headset"])
        let microphone = try testbed.add(
          subsystem: "sound", name: "pcmC1D0c", parent: card,
          properties: ["DEVNAME": "/dev/snd/pcmC1D0c"])
        let machine = LinuxMachine()
        var changes = try DeviceChanges(of: ["sound"]).makeAsyncIterator()
        var names: [String?] = []
        while let change = try await changes.next() {
          guard change.device.sysfsPath == microphone else { continue }
          names.append(change.device.name)
          let listed = try machine.devices(of: .microphone).first { $0.sysfsPath == microphone }
          #expect(listed?.name == change.device.name)
          if names.count == 2 { break }
          testbed.setProperty("ID_MODEL", to: "Wireless_Headset_3", of: card)
          testbed.send("change", about: card)
        }
        #expect(names == ["Headset", "Wireless Headset 3"])
      }
    }

    @Test func `an infrared camera is offered after the one for people`() async {
      await #expect(processExitsWith: .success) {
        let testbed = try UMockdevTestbed()
        try testbed.add(RecordedMachines.infraredCamera.reversed())
        let devices = try LinuxMachine().devices(of: .camera)
        #expect(devices.map(\.role) == [.capture, .metadata, .capture, .metadata])
        let candidates = DeviceKind.camera.candidates(in: devices)
        #expect(
          candidates.map(\.name) == ["HP 5MP Camera: HP 5MP Camera", "HP 5MP Camera: HP IR Camera"])
        #expect(candidates.first?.currentTags?.contains("snap_firefox_firefox") == true)
        let facts = try LinuxMachine().facts(for: Question(.kind(.camera)))
        #expect(
          facts.access.request == .open(path: "/dev/video0", flags: [.readWrite, .nonBlocking]))
        // The facts include the nodes of the metadata siblings, to list the access to each.
        #expect(facts.access.nodes.map(\.path).suffix(4) == (0...3).map { "/dev/video\($0)" })
        #expect(facts.devices.count == 4)
      }
    }

    @Test func `codecs and image processors are no cameras`() async {
      await #expect(processExitsWith: .success) {
        let testbed = try UMockdevTestbed()
        try testbed.add(RecordedMachines.raspberryPi)
        let devices = try LinuxMachine().devices(of: .camera)
        #expect(devices.map(\.kernelName) == (10...16).map { "video\($0)" })
        #expect(devices.prefix(3).map(\.role) == Array(repeating: .memoryToMemory, count: 3))
        #expect(devices.suffix(4).map(\.role) == Array(repeating: .pipeline, count: 4))
        #expect(devices[0].bus == "platform")
        #expect(DeviceKind.camera.candidates(in: devices).isEmpty)
        let facts = try LinuxMachine().facts(for: Question(.kind(.camera)))
        #expect(facts.access.request.path == "/dev/video0")
      }
    }

    @Test func `raw nodes lose a tag and keep it as a sticky one`() async {
      await #expect(processExitsWith: .success) {
        let testbed = try UMockdevTestbed()
        try testbed.add(RecordedMachines.rawPipeline)
        let devices = try LinuxMachine().devices(of: .camera)
        let raw = try #require(devices.first { $0.kernelName == "video10" })
        #expect(raw.role == .pipeline)
        #expect(raw.tags.contains("uaccess"))
        #expect(raw.currentTags?.contains("uaccess") == false)
        #expect(!raw.isTaggedForUserAccess)
        let subdevice = try #require(devices.first { $0.kernelName == "v4l-subdev0" })
        #expect(subdevice.role == .subdevice)
        // The loopback device for them reports that it accepts pictures.
        let loopback = try #require(devices.first { $0.kernelName == "video0" })
        #expect(loopback.name == "Intel MIPI Camera")
        #expect(loopback.driver == nil)
        #expect(loopback.role == .output)
        #expect(loopback.roleConfidence == .guess)
        #expect(DeviceKind.camera.candidates(in: devices).isEmpty)
        // video0 to video2 exist, and none of them is a camera.
        let facts = try LinuxMachine().facts(for: Question(.kind(.camera)))
        #expect(facts.access.request.path == "/dev/video3")
      }
    }

    @Test func `a loopback device that is fed is a camera`() async {
      await #expect(processExitsWith: .success) {
        let testbed = try UMockdevTestbed()
        try testbed.add([
          RecordedNode(
            path: "/devices/virtual/video4linux/video7", minor: 7, index: 0, driver: nil,
            properties: [
              "ID_V4L_CAPABILITIES": ":capture:", "ID_V4L_PRODUCT": "OBS Virtual Camera",
            ])
        ])
        let devices = try LinuxMachine().devices(of: .camera)
        #expect(devices.map(\.role) == [.capture])
        #expect(devices.map(\.roleConfidence) == [.guess])
        #expect(DeviceKind.camera.candidates(in: devices).map(\.node) == ["/dev/video7"])
      }
    }

    @Test func `names with control characters and invalid text are made harmless`() async {
      await #expect(processExitsWith: .success) {
        let testbed = try UMockdevTestbed()
        try testbed.add([
          RecordedNode(
            path: "/devices/pci0000:00/1-1:1.0/video4linux/video0", minor: 0, index: 0,
            driver: "uvcvideo",
            properties: ["ID_V4L_CAPABILITIES": ":capture:", "ID_BUS": "usb"])
        ])
        let path = "/sys/devices/pci0000:00/1-1:1.0/video4linux/video0"
        let device = try #require(try LinuxMachine().devices(of: .camera).first)
        #expect(device.sysfsPath == path)
        // umockdev only supports text, so other bytes are written directly to its file.
        let file = "\(testbed.rootDirectory)\(path)/name"
        let bytes: [UInt8] = [0x43, 0x1B, 0x5B, 0x33, 0x31, 0x6D, 0xFF, 0x0A]
        let descriptor = unsafe open(file, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0o644)
        #expect(unsafe write(descriptor, bytes, bytes.count) == bytes.count)
        close(descriptor)
        let renamed = try #require(try LinuxMachine().devices(of: .camera).first)
        #expect(renamed.name == "C\u{FFFD}[31m\u{FFFD}")
      }
    }

    @Test(.requiresPrivateMounts)
    func `tags and links come from the database where there is one`() async {
      await #expect(processExitsWith: .success) {
        // umockdev does not redirect /run/udev, so this thread mounts its own.
        try PrivateMachine.separateMounts()
        try PrivateMachine.mountTemporary(at: "/run")
        let run = try TemporaryDirectory(in: "/run")
        try run.file("database", "I:1\nE:ID_BUS=usb\nG:uaccess\nG:seat\nQ:seat\nV:1\n")
        for directory in ["/run/udev", "/run/udev/data"] {
          try SystemError.check(unsafe mkdir(directory, 0o755), "mkdir")
        }
        try SystemError.check(
          unsafe rename("\(run.path)/database", "/run/udev/data/c81:0"), "rename")
        let testbed = try UMockdevTestbed()
        var camera = RecordedMachines.plainWebcam[0]
        camera.properties["TAGS"] = nil
        try testbed.add([camera])
        let device = try #require(try LinuxMachine().devices(of: .camera).first)
        #expect(device.isInitialized)
        #expect(device.tags.sorted() == ["seat", "uaccess"])
        #expect(device.currentTags == ["seat"])
        #expect(!device.isTaggedForUserAccess)
      }
    }

    /// A container sees this if the node was passed to it under another name.
    @Test(.requiresPrivateMounts)
    func `who uses a camera by another name is told by that name`() async {
      await #expect(processExitsWith: .success) {
        let testbed = try UMockdevTestbed()
        try testbed.add([RecordedMachines.plainWebcam[0]])
        // The C library lists a folder of the test bed for /dev, with the numbers as links. The
        // test bed does not redirect statx(2).
        let folder = try #require(ProcessInfo.processInfo.environment["UMOCKDEV_DIR"]) + "/dev"
        try SystemError.check(unsafe unlink("\(folder)/video0"), "unlink")
        try SystemError.check(unsafe symlink("81:0", "\(folder)/.node/cam0"), "symlink")
        try PrivateMachine.separateMounts()
        try PrivateMachine.mountTemporary(at: "/dev")
        for folder in [folder, "/dev"] {
          try PrivateMachine.makeDevice("\(folder)/cam0", major: 81, minor: 0, mode: 0o666)
        }
        let device = try #require(try LinuxMachine().use(of: [.kind(.camera)]).devices.first)
        #expect(device.node == "/dev/cam0")
        #expect(device.device?.systemNode == "/dev/video0")
      }
    }

    @Test func `many devices are listed in the order of their numbers`() async {
      await #expect(processExitsWith: .success) {
        let testbed = try UMockdevTestbed()
        try testbed.add(
          (0..<120).shuffled().map { number in
            RecordedNode(
              path: "/devices/virtual/video4linux/video\(number)", minor: number, index: 0,
              driver: nil, properties: ["ID_V4L_CAPABILITIES": ":capture:"])
          })
        let devices = try LinuxMachine().devices(of: .camera)
        #expect(devices.map(\.kernelName) == (0..<120).map { "video\($0)" })
      }
    }
  }
#endif
