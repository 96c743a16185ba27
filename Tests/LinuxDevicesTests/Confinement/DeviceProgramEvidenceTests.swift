import AccessModel
import Testing

@testable import LinuxDevices

/// Conclusions from the device policies of a unit about its control groups.
@Suite struct `Device policies of control groups` {
  private static let unit = "/system.slice/sb.service"
  private static let below = "/system.slice/sb.service/payload"
  private static let user = "/user.slice/user-1000.slice/user@1000.service/app.slice/x.scope"

  /// Returns the answer from a number of policies that allow nothing.
  private func answer(policies: Int, isComplete: Bool = true) -> DeviceProgramEvidence.Answer {
    let list = DeviceCgroup(defaultBehavior: .deny, exceptions: [])
    return DeviceProgramEvidence.Answer(
      list: policies == 0 ? nil : list, isKnown: isComplete,
      policies: (0..<policies).map { ServiceFacts.Policy(unit: "\($0).slice", list: list) })
  }

  @Test(
    arguments: [
      // In the unit's own group, other programs matter only if the unit has no policy.
      (unit, 1, nil, true), (unit, 1, 1, true), (unit, 1, 2, true), (unit, 0, nil, true),
      (unit, 0, 1, false),
      // Below it, the programs are counted: one for each policy of the unit and its slices.
      (below, 1, 1, true), (below, 2, 2, true), (below, 1, 2, false), (below, 2, 3, false),
      (below, 1, nil, false), (below, 0, nil, false), (below, 0, 1, false),
      // A user's service manager creates no programs.
      (user, 1, nil, true), (user, 0, nil, true), (user, 1, 2, false),
    ] as [(String, Int, Int?, Bool)])
  func `are all that counts where no other program can be`(
    group: String, policies: Int, programs: Int?, isKnown: Bool
  ) {
    let before = answer(policies: policies)
    let weighed = DeviceProgramEvidence.weighed(before, of: group, programs: programs)
    #expect(weighed.isKnown == isKnown)
    // Access that the policies refuse is refused in any case.
    #expect(weighed.list == before.list)
    #expect(weighed.policies == before.policies)
  }

  @Test(arguments: [unit, below, user])
  func `that could not be evaluated are not all that counts`(group: String) {
    let answer = answer(policies: 1, isComplete: false)
    #expect(!DeviceProgramEvidence.weighed(answer, of: group, programs: 1).isKnown)
  }

  @Test(
    arguments: [
      (unit, unit, true), (unit, below, true), (unit, "/system.slice/sb.service2", false),
      (unit, "/docker/0123/system.slice/sb.service", false), (nil, unit, false),
    ] as [(String?, String, Bool)])
  func `are of the group that the manager names`(own: String?, group: String, isHeld: Bool) {
    #expect(DeviceProgramEvidence.holds(own, group) == isHeld)
  }

  @Test(arguments: [false, true], [false, true])
  func `refuse below the unit, and allow where nothing else can refuse`(
    isAllowed: Bool, isKnown: Bool
  ) {
    var node = Node(path: "/dev/video0", type: .characterDevice, mode: 0o666, uid: 0, gid: 0)
    node.rdev = DeviceNumber(major: 81, minor: 0)
    var subject = Subject(uid: 0, gid: 0)
    let camera = DeviceCgroup.Exception(
      isBlock: false, major: 81, minor: 0, read: true, write: true, makeNode: false)
    subject.deviceCgroup = DeviceCgroup(
      defaultBehavior: .deny, exceptions: isAllowed ? [camera] : [])
    if !isKnown { subject.unobserved.insert(.deviceCgroup) }
    let access = AccessCase(
      protectedSymlinks: true, mounts: [Mount(at: "/", fstype: "devtmpfs")],
      nodes: ["/", "/dev"].map {
        Node(path: $0, type: .directory, mode: 0o755, uid: 0, gid: 0)
      } + [node], subject: subject, request: .open(path: "/dev/video0", flags: [.readWrite]))
    let answer = AccessFacts(kind: nil, access: access).explain().answer
    #expect(answer == (!isAllowed ? .refused : isKnown ? .allowed : .undetermined))
  }
}
