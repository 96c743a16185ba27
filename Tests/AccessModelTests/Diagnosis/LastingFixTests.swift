import AccessModel
import Testing

/// Lasting fixes, and the correctness of stated durations.
struct LastingFixTests {
  private func fixes(_ change: (inout Fixtures) -> Void) -> [Remedy] {
    Fixtures.camera.with(change).explain().remedies
  }

  @Test
  func `a service gets an entry of its own by a rule that stays, before one by hand`() throws {
    let remedies = fixes {
      $0.askDevice("/dev/vchiq", subsystem: "vchiq", mode: 0o600, tags: [])
      $0.facts.access.subject = Subject(uid: Fixtures.alice, gid: Fixtures.alice)
      $0.serve("printer.service")
    }
    let isRule = { (remedy: Remedy) in
      remedy.commands.first?.contains("99-devaccess-entry.rules") == true
    }
    let first = try #require(remedies.first(where: isRule))
    #expect(
      first.commands.first?.contains(#"RUN+="/usr/bin/setfacl -m u:alice:rw $devnode""#) == true)
    #expect(first.lasts == nil)
    let byHand = try #require(remedies.first { $0.commands.first?.hasPrefix("setfacl") == true })
    #expect(byHand.lasts != nil)
  }

  @Test
  func `no rule names a user for one start, or a person whose session logind looks after`() {
    let dynamic = fixes {
      $0.askDevice("/dev/ttyACM0", subsystem: "tty", gid: 20)
      $0.facts.access.subject = Subject(uid: 61_500, gid: 61_500)
      $0.serve("meter.service")
    }
    let person = fixes { $0.session("5", isActive: true, isRemote: true, active: nil) }
    for remedy in dynamic + person {
      #expect(remedy.commands.allSatisfy { !$0.contains("devaccess-entry.rules") })
    }
  }

  @Test
  func `an entry in a container's own node lasts until the container is started again`() {
    let remedies = fixes {
      $0.contain("docker")
      $0.facts.access.mounts = [
        Mount(at: "/", fstype: "overlay"), Mount(at: "/dev", fstype: "tmpfs"),
      ]
    }
    let entry = remedies.first { $0.commands.first?.hasPrefix("setfacl") == true }
    #expect(entry?.end == .containerStart)
  }

  @Test
  func `a tag without effect is mended by a rule in time before another event is`() throws {
    let remedies = fixes {
      $0.askDevice("/dev/hidraw0", subsystem: "hidraw", mode: 0o600, tags: ["seat", "uaccess"])
      $0.sit()
    }
    let rule = try #require(
      remedies.firstIndex { $0.commands.first?.contains("73-devaccess-uaccess.rules") == true })
    let trigger = try #require(
      remedies.firstIndex { $0.commands.first?.hasPrefix("udevadm trigger") == true })
    #expect(rule < trigger)
    #expect(remedies[rule].isProven && !remedies[trigger].isProven)
  }

  @Test
  func `a virtual camera that takes pictures alone is to be fed, not to be loaded again`() {
    let remedies = fixes {
      $0.device {
        $0.driver = "v4l2loopback"
        $0.properties["ID_V4L_CAPABILITIES"] = ":video_output:"
      }
    }
    #expect(remedies.contains { $0.title.contains("feeds") })
    #expect(remedies.allSatisfy { $0.commands.isEmpty })
  }

  @Test
  func `a driver is loaded for now and for every boot`() {
    let remedies = fixes {
      $0.facts.kind = nil
      $0.facts.access.request = .open(path: "/dev/nvidia-uvm", flags: [.readWrite])
      $0.facts.devices = []
      var hardware = HardwareFacts()
      hardware.modules = [
        HardwareFacts.Module(name: "nvidia_uvm", isLoaded: false, isInstalled: true)
      ]
      $0.facts.hardware = hardware
    }
    #expect(remedies.map(\.commands.count) == [2, 1])
    #expect(remedies.first?.commands.last?.contains("/etc/modules-load.d/") == true)
    #expect(remedies.map(\.lasts) == [nil, "until the next boot"])
  }

  @Test
  func `a flatpak is told what it was given`() {
    let explanation = Fixtures.camera.with {
      $0.contain("flatpak")
      $0.hide()
      $0.facts.confinement.application = ApplicationFacts(name: "org.example.App", devices: ["dri"])
    }.explain()
    #expect(explanation.cause?.code == .flatpakDevice)
    #expect(explanation.cause?.summary.hasSuffix("the flatpak was given only devices=dri.") == true)
  }

  @Test
  func `a module that makes another node is not the one`() {
    let explanation = Fixtures.camera.with {
      $0.facts.kind = nil
      $0.facts.devices = []
      $0.facts.access.request = .open(path: "/dev/ppp", flags: [.readWrite])
      var hardware = HardwareFacts()
      hardware.modules = [
        HardwareFacts.Module(name: "tun", isLoaded: false, isInstalled: true, node: "/dev/net/tun")
      ]
      $0.facts.hardware = hardware
    }.explain()
    #expect(explanation.cause?.code == .nodeAbsent)
  }

  @Test
  func `a group that opens every node of a pipeline comes before the nodes`() throws {
    let explanation = Fixtures.camera.with {
      $0.askPipeline(heap: "/dev/dma_heap/system", mode: 0o660, gid: Fixtures.video)
    }.explain()
    #expect(explanation.cause?.code == .groupNotMember)
    #expect(explanation.furtherCauses.contains { $0.code == .auxNode })
    let groups = explanation.remedies.filter { $0.commands == ["usermod -aG video alice"] }
    #expect(groups.count == 1)
    // A manual fix adds an entry to each node, in one sequence.
    let byHand = try #require(
      explanation.remedies.first { $0.commands.first?.hasPrefix("setfacl") == true })
    #expect(byHand.commands.count == 2)
  }

  // MARK: - Order

  @Test
  func `a lasting option of the engine comes before an entry inside the container`() throws {
    let remedies = fixes { $0.contain("docker") }
    let first = try #require(remedies.first)
    #expect(first.options == ["--group-add=44"] && first.end == .never)
    #expect(remedies.dropFirst().first?.isInterim == true)
    let pod = try #require(fixes { $0.contain("kubernetes") }.first)
    #expect(pod.options == ["securityContext: {supplementalGroups: [44]}"])
  }

  @Test
  func `a fix that works as late as the lasting one is not for the time until then`() {
    let remedies = fixes {
      $0.contain("docker")
      $0.hide()
    }
    #expect(remedies.first?.options.contains("--device-cgroup-rule='c 81:* rw'") == true)
    #expect(remedies.map(\.end) == [.never, .replug])
    #expect(remedies.allSatisfy { !$0.isInterim })
  }

  @Test
  func `a sequence ends with the first of its steps that ends`() {
    let remedies = fixes {
      $0.serve("motion.service")
      $0.untag()
      $0.check([.read, .write], 1)
      $0.facts.access.subject.deviceCgroup = DeviceCgroup(defaultBehavior: .deny, exceptions: [])
    }
    let groups = remedies.filter { $0.commands.joined().contains("SupplementaryGroups=video") }
    #expect(groups.first?.end == .never)
    #expect(groups.last?.end == .renumbering)
    let entry = remedies.first { $0.commands.joined().contains("setfacl -m") }
    #expect(entry?.end == .deviceEvent(.unknown, isPluggable: true))
  }

  @Test
  func `the ends are in the order of durations, and say until when`() {
    let ends: [Remedy.End] = [
      .programExit, .sessionSwitch, .deviceEvent(.removesEntries, isPluggable: true), .replug,
      .containerStart, .containerCreation, .nodeCreation(path: "/dev", isInMemory: true), .mount,
      .boot, .portChange, .renumbering, .never,
    ]
    #expect(ends.sorted() == ends)
    #expect(ends.filter(\.isLasting) == [.portChange, .renumbering, .never])
    for end in ends {
      #expect(end.clause?.hasPrefix("until ") == (end == .never ? nil : true))
      #expect((end.code == nil) == (end == .never))
    }
  }

  // MARK: - Fixes that would have no effect

  @Test(arguments: [("juhradial.service", false), ("vte-spawn-1.scope", true)])
  func `newgrp is offered to a shell in a terminal, and not to a service of the user`(
    unit: String, isOffered: Bool
  ) {
    let remedies = fixes {
      $0.join(20)
      $0.facts.account.loginGroups?.append(Fixtures.video)
      $0.facts.confinement.unit = "user@1000.service"
      $0.facts.confinement.cgroup =
        "/user.slice/user-1000.slice/user@1000.service/app.slice/\(unit)"
    }
    #expect(remedies.contains { $0.commands == ["newgrp video"] } == isOffered)
    #expect(remedies.contains { $0.commands == ["systemctl restart user@1000.service"] })
    #expect(remedies.first?.end == .never)
  }

  @Test(arguments: [nil, "2"])
  func `a new group reaches a lingering user manager only when it restarts`(session: String?) {
    let remedies = fixes {
      $0.session(session, seat: nil, active: nil)
      $0.facts.confinement.unit = "user@1000.service"
      $0.facts.confinement.cgroup =
        "/user.slice/user-1000.slice/user@1000.service/app.slice/camera.service"
    }
    let join = remedies.first { $0.commands.first?.hasPrefix("usermod -aG video") == true }
    let restarts = join?.takesEffect?.contains("systemctl restart user@1000.service")
    #expect(restarts == (session == nil))
  }

  @Test
  func `a service whose groups were dropped is not only started again`() {
    let remedies = fixes {
      $0.facts.access.subject.groups = []
      $0.facts.account.loginGroups = [Fixtures.alice, 27, Fixtures.video]
      $0.serve("agent.service")
    }
    // setgid(2) and setuid(2) keep the supplementary groups.
    let first = remedies.first
    #expect(first?.commands.contains { $0.contains("'SupplementaryGroups=video'") } == true)
    #expect(first?.assumes?.contains("keeps its groups") == true && first?.lasts == nil)
    #expect(remedies.contains { $0.title.contains("initgroups(3)") })
    #expect(remedies.allSatisfy { $0.commands != ["systemctl restart agent.service"] })
  }

  @Test
  func `root of a nested user namespace gets no entry by its number`() {
    let remedies = fixes {
      $0.ask("/srv/closed", .directory, mode: 0o700, uid: 1000, gid: 1000)
      let map = IDMap([IDMap.Range(inside: 1000, outside: 0, length: 1)])
      $0.facts.access.subject = Subject(uid: 0, gid: 0)
      $0.facts.access.subject.userNamespace = IDMapping(users: map, groups: map)
    }
    for remedy in remedies {
      #expect(!remedy.commands.contains { $0.contains("u:0:") }, "\(remedy.commands)")
    }
  }

  @Test
  func `a path that a service may not have does not keep it from starting`() throws {
    let remedies = Fixtures.album().with {
      $0.node("/home") { $0.mode = 0 }
      $0.facts.access.mounts.append(Mount(at: "/home", fstype: "tmpfs"))
      $0.serve("gallery.service")
    }.explain().remedies
    let bind = try #require(
      remedies.first { $0.commands.joined().contains("ProtectHome=tmpfs") })
    #expect(bind.commands.joined().contains("BindPaths=-/home/alice/Pictures"))
  }

  @Test
  func `a closed slice of a session gets its own setting`() {
    let remedies = fixes {
      $0.session("3", isActive: true, active: Fixtures.alice)
      $0.join(Fixtures.video)
      $0.facts.confinement.unit = "session-3.scope"
      let closed = DeviceCgroup(defaultBehavior: .deny, exceptions: [])
      var service = ServiceFacts()
      service.isRunning = true
      service.policies = [
        ServiceFacts.Policy(unit: "user-1000.slice", list: closed, setting: .closed)
      ]
      $0.facts.confinement.service = service
      $0.facts.access.subject.deviceCgroup = closed
    }
    #expect(
      remedies.first?.commands == [
        "systemctl set-property user-1000.slice 'DeviceAllow=char-video4linux rw'"
      ])
    #expect(
      remedies.dropFirst().first?.commands == [
        "systemctl set-property user-1000.slice 'DeviceAllow=/dev/video0 rw'"
      ])
  }

  @Test
  func `groups that are kept already are not to be kept again`() {
    let remedies = fixes {
      $0.contain("podman")
      $0.unmap()
      $0.facts.access.subject.groups = [65534]
    }
    #expect(remedies.allSatisfy { !$0.options.contains("--group-add=keep-groups") })
  }

  @Test
  func `a feeder that has the virtual camera open is not to be started`() {
    let feed = { (holders: [DeviceHolder]) in
      Fixtures.camera.with {
        $0.device {
          $0.driver = "v4l2loopback"
          $0.properties["ID_V4L_CAPABILITIES"] = ":video_output:"
          $0.isFed = false
        }
        let device = $0.facts.devices[0]
        $0.facts.use = UseFacts(
          devices: [DeviceUse(node: "/dev/video0", device: device, holders: holders)])
      }.explain().remedies.first?.title
    }
    let feeder = DeviceHolder(HoldingProcess(id: 7, name: "gphoto2"), DeviceHold(access: .write))
    #expect(feed([])?.hasPrefix("Start the program") == true)
    #expect(feed([feeder])?.hasPrefix("Have gphoto2 (process 7), which has it open,") == true)
  }
}
