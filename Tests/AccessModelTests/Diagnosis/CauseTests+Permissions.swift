import AccessModel

/// Modes, owners, groups, access control lists and seats.
extension CauseTests {
  static let groups: [CauseCase] = [
    CauseCase(
      "not in the group, where no tag could give it", .groupNotMember, .denied,
      command: join
    ) {
      $0.untag()
    },
    CauseCase(
      "in the database but not in this process", .groupNotRefreshed, .denied,
      command: "newgrp video"
    ) {
      $0.join(20)
      $0.facts.account.loginGroups = [Fixtures.alice, 20, Fixtures.video]
    },
    CauseCase(
      "groups dropped by a launcher", .groupsDropped, .denied, command: entry
    ) {
      $0.facts.account.loginGroups = [Fixtures.alice, 20, 29, Fixtures.video]
    },
    CauseCase(
      "in the group, whose bits lack write", .modeGroup, .limited, command: entry
    ) {
      $0.join(Fixtures.video)
      $0.node { $0.mode = 0o640 }
    },
    CauseCase(
      "a service that was not restarted since", .groupNotRefreshed, .denied,
      command: "systemctl restart motion.service"
    ) {
      $0.join(20)
      $0.facts.account.loginGroups?.append(Fixtures.video)
      $0.facts.confinement.unit = "motion.service"
    },
    CauseCase(
      "the owner's own bits lack write", .modeOwner, .limited, command: "chmod u+rw /dev/video0"
    ) {
      $0.node {
        $0.uid = Fixtures.alice
        $0.mode = 0o466
      }
    },
    CauseCase(
      "root's alone, where udev is not running", .modeOwner, .denied, command: entry
    ) {
      $0.node {
        $0.mode = 0o600
        $0.gid = 0
      }
      $0.device {
        $0.isInitialized = false
        $0.tags = []
        $0.currentTags = []
      }
    },
  ]

  static let lists: [CauseCase] = [
    CauseCase(
      "an entry that the mask cuts", .aclMask, .limited,
      command: "setfacl -m u:alice:rw,g::r /dev/video0"
    ) {
      $0.list([ACLEntry(.user, Fixtures.alice, [.read, .write])], mask: .read)
    },
    CauseCase(
      "an entry that an empty mask makes the kernel skip", .aclMask, .denied,
      command: "setfacl --set u::rw,u:alice:rw,g::---,o::--- /dev/video0"
    ) {
      $0.list([ACLEntry(.user, Fixtures.alice, [.read, .write])], mask: [])
    },
    CauseCase(
      "a named entry that beats the group", .aclNamedEntry, .limited, command: entry
    ) {
      $0.join(Fixtures.video)
      $0.list([ACLEntry(.user, Fixtures.alice, .read)])
    },
    CauseCase(
      "rights of two groups that do not add up", .aclGroupEntry, .limited, command: entry
    ) {
      $0.join(29)
      $0.join(20)
      $0.list([ACLEntry(.group, 20, .read), ACLEntry(.group, 29, .write)], group: [])
    },
    CauseCase(
      "the owning group's entry is empty although ls shows rw", .aclGroupEntry, .denied,
      command: entry
    ) {
      $0.join(Fixtures.video)
      $0.list([ACLEntry(.user, Fixtures.bob, [.read, .write])], group: [])
    },
    CauseCase(
      "active on the seat and no entry", .aclAbsent, .denied,
      command: "udevadm trigger --subsystem-match=video4linux --sysname-match=video0"
    ) {
      $0.session("2", isActive: true, active: Fixtures.alice)
    },
  ]

  static let seats: [CauseCase] = [
    CauseCase("a remote session", .groupNotMember, .denied, command: join) {
      $0.session("7", seat: nil, isActive: true, isRemote: true)
    },
    CauseCase("a service", .groupNotMember, .denied, command: dropIn) {
      $0.session(nil, seat: nil)
      $0.facts.confinement.unit = "motion.service"
    },
    CauseCase("another seat", .uaccessNotActive, .denied, command: join) {
      $0.session("3", seat: "seat1", isActive: true)
    },
    CauseCase("an inactive console", .uaccessNotActive, .denied, command: join) {
      $0.session("4")
    },
    CauseCase("no logind", .groupNotMember, .denied, command: join) {
      $0.facts.session = SessionFacts(isLogindRunning: false)
    },
    CauseCase(
      "the tag is gone while alice is active", .uaccessNotTagged, .denied,
      command: """
        printf '%s\\n' 'SUBSYSTEM=="video4linux", KERNEL=="video*", ATTRS{idVendor}=="046d", \
        ATTRS{idProduct}=="0825", ATTR{index}=="0", TAG+="uaccess"' \
        >> /etc/udev/rules.d/73-devaccess-uaccess.rules
        """
    ) {
      $0.device { $0.currentTags = ["seat"] }
      $0.session("2", isActive: true, active: Fixtures.alice)
    },
    CauseCase(
      "udev has not finished", .bootRace, .denied,
      command: "udevadm settle --timeout=10"
    ) {
      $0.addCamera(1)
      $0.node("/dev/video1") { $0.mode = 0 }
      $0.node {
        $0.mode = 0o600
        $0.gid = 0
      }
      $0.device { $0.isInitialized = false }
    },
  ]
}
