import AccessModel
import Testing

/// Rules that hold for every explanation, regardless of the facts.
struct ExplanationTests {
  /// The possible answers of the kernel to the request.
  static let answers: [Errno?] = [nil, 0, 1, 2, 13, 30, 38]

  /// All rows, each with every possible answer of the kernel.
  static let all: [AccessFacts] = RemedyTests.everything.flatMap { facts in
    answers.map { errno in
      var facts = facts
      let request = facts.access.request
      facts.kernelChecks =
        errno.map {
          [KernelCheck(path: request.path, mode: request.permissions, errno: $0)]
        } ?? []
      return facts
    }
  }

  static let explained = all.map { (facts: $0, explanation: $0.explain()) }

  @Test
  func `undecided is neither denied nor granted`() {
    for (_, explanation) in Self.explained where explanation.certainty == .undecided {
      #expect(explanation.answer == .undetermined || explanation.answer == .absent)
      #expect([.unknown, .absent].contains(explanation.status))
    }
  }

  @Test
  func `proven needs an answer of the kernel that agrees`() {
    for (facts, explanation) in Self.explained {
      // A successful open is proof as well.
      guard explanation.certainty == .proven, facts.attempts.isEmpty else { continue }
      let check = facts.kernelChecks.first {
        $0.path == facts.access.creationDirectory ?? explanation.path
      }
      #expect(check != nil)
      switch explanation.answer {
      case .allowed: #expect(check?.errno == 0)
      case .refused: #expect(check?.errno != 0)
      case .absent, .undetermined: break
      }
    }
  }

  @Test(arguments: [(nil, "is not running"), ("podman", "cannot be seen from here")])
  func `logind is said not to run only where it would be seen`(container: String?, words: String) {
    let explanation = Fixtures.camera.with {
      $0.facts.confinement.container = container
      $0.facts.session = SessionFacts(isLogindRunning: false)
    }.explain()
    #expect(explanation.evidence.contains("systemd-logind \(words)"))
  }

  @Test
  func `the answer is the same without the explanation`() {
    for (facts, explanation) in Self.explained { #expect(facts.answer == explanation.answer) }
  }

  @Test
  func `facts are contradicted where the explanation says so, and the kernel answered in time`() {
    var count = 0
    for (facts, explanation) in Self.explained where !facts.kernelChecks.isEmpty {
      #expect(facts.isContradicted == (explanation.disagreement != nil))
      var silent = facts
      for index in silent.kernelChecks.indices { silent.kernelChecks[index].errno = .timedOut }
      #expect(!silent.isContradicted)
      count += facts.isContradicted ? 1 : 0
    }
    #expect(count > 0)
  }

  @Test
  func `what is proven has a proven cause`() {
    for (_, explanation) in Self.explained where explanation.certainty == .proven {
      #expect(explanation.answerCertainty == .proven)
      #expect(explanation.cause?.isProven != false)
    }
  }

  @Test
  func `answer, status and availability never contradict each other`() {
    for (_, explanation) in Self.explained {
      let (status, availability) = (explanation.status, explanation.availability)
      switch explanation.answer {
      case .allowed:
        #expect([.authorized, .limited].contains(status))
        #expect([.present, .busy].contains(availability))
      case .refused:
        #expect([.limited, .notDetermined, .denied, .restricted].contains(status))
        #expect(availability != .absent)
      case .undetermined:
        #expect(status == .unknown)
        #expect(availability != .absent && explanation.certainty == .undecided)
      case .absent:
        #expect(status == .absent && availability == .absent)
      }
    }
  }

  @Test
  func `where the walk finds nothing and the kernel grants, it is undetermined`() {
    let explanation = Fixtures.camera.with {
      $0.facts.access.nodes.removeAll { $0.path == "/dev/video0" }
      $0.facts.devices = []
      $0.facts.kernelChecks = [KernelCheck(path: "/dev/video0", mode: [.read, .write], errno: 0)]
    }.explain()
    #expect(explanation.answer == .undetermined)
    #expect(explanation.availability == .unknown)
    #expect(explanation.disagreement != nil)
  }

  @Test(arguments: ["proc", "debugfs"])
  func `nothing is created where only the kernel creates files`(fstype: String) {
    let explanation = Fixtures.camera.with {
      $0.add("/proc/self", .directory, mode: 0o777)
      var mount = $0.facts.access.mounts[0]
      (mount.at, mount.fstype) = ("/proc", fstype)
      $0.facts.access.mounts.append(mount)
      $0.facts.kind = nil
      $0.facts.access.request = .open(path: "/proc/self/new", flags: [.writeOnly, .create])
      // faccessat2(2) is called with the directory.
      $0.facts.kernelChecks = [
        KernelCheck(path: "/proc/self", mode: [.write, .search], errno: .success)
      ]
    }.explain()
    #expect(explanation.answer == .refused, "\(explanation.decision)")
    #expect(explanation.cause?.code == .openFlagRefused)
    #expect(explanation.cause?.summary.contains("Only the kernel creates files") == true)
    #expect(explanation.remedies.isEmpty)
  }

  /// The user in question may be the reason for the timeout.
  @Test
  func `a kernel's answer that did not come in time allows nothing, and refuses nothing`() {
    for (mode, answer) in [(0o666, Answer.undetermined), (0o600, .refused)] as [(UInt16, Answer)] {
      let explanation = Fixtures.camera.with {
        $0.ask("/srv/file", .regular, mode: mode)
        $0.facts.kernelChecks = [
          KernelCheck(
            path: "/srv/file", mode: $0.facts.access.request.permissions, errno: .timedOut)
        ]
      }.explain()
      #expect(explanation.answer == answer)
      if answer == .undetermined {
        #expect(explanation.disagreement == "The kernel did not answer in time.")
      } else {
        #expect(explanation.disagreement == nil)
      }
    }
  }

  @Test
  func `a grant by the kernel's check alone does not open what can only be appended to`() {
    let file = Fixtures.camera.with {
      $0.ask("/srv/file", .regular, mode: 0o666)
      $0.facts.access.mounts[0].unobserved.insert(.flags)
      $0.check([.read, .write], 0, path: "/srv/file")
    }
    #expect(file.explain().answer == .allowed)
    let appended = file.with { $0.node("/srv/file") { $0.flags = [.append] } }
    #expect(appended.explain().answer != .allowed)
  }

  @Test
  func `a group that has too little itself is not what the user lacks`() {
    let explanation = Fixtures.camera.with {
      $0.untag()
      $0.node { $0.mode = 0o640 }
    }.explain()
    let causes = [explanation.cause].compactMap(\.self) + explanation.furtherCauses
    #expect(explanation.answer == .refused && !causes.contains { $0.code == .groupNotMember })
    #expect(!explanation.remedies.contains { $0.commands.contains { $0.contains("usermod") } })
  }

  @Test
  func `the reported decision and the answer say the same`() {
    for (_, explanation) in Self.explained {
      switch explanation.answer {
      case .allowed: #expect(explanation.decision.isGranted)
      case .refused:
        guard case .denied = explanation.decision.outcome else {
          Issue.record("refused, and decided \(explanation.decision.outcome)")
          continue
        }
      case .absent, .undetermined: break
      }
    }
  }

  @Test
  func `authorized is allowed, and what is refused has a cause`() {
    for (_, explanation) in Self.explained {
      if explanation.status == .authorized {
        #expect(explanation.answer == .allowed)
        #expect(explanation.granted == explanation.wanted)
      }
      if explanation.answer == .allowed {
        #expect(explanation.cause == nil)
      } else {
        #expect(explanation.cause != nil)
      }
      if explanation.answer == .absent { #expect(explanation.status == .absent) }
      if explanation.answer == .refused { #expect(explanation.granted != explanation.wanted) }
    }
  }

  @Test
  func `a contradiction between model and kernel is said`() {
    for (facts, explanation) in Self.explained {
      let decision = facts.access.decide()
      guard explanation.path == facts.access.request.path, let check = facts.kernelChecks.first,
        check.errno != 38, !facts.isEveryCheckStopped, facts.attempts.isEmpty,
        facts.access.creationDirectory == nil
      else { continue }
      switch decision.outcome {
      case .granted: #expect((explanation.disagreement != nil) == (check.errno != 0))
      case .denied(let errno) where check.errno != 0:
        // open(2) may fail at an earlier check than faccessat2(2), which is not a contradiction.
        var checked = facts.access
        checked.request = .access(
          path: explanation.path, mode: explanation.wanted, effective: true, noFollow: false)
        let isExpected = checked.verdict().outcome == .denied(errno: check.errno)
        #expect((explanation.disagreement != nil) == (check.errno != errno && !isExpected))
      case .denied, .undecided: break
      }
    }
  }

  @Test
  func `the best of several cameras is reported, and the others are listed`() {
    let explanation = Fixtures.camera.with {
      $0.addCamera(1)
      $0.addCamera(2)
      $0.node("/dev/video1") { $0.mode = 0o666 }
      $0.node("/dev/video2") { $0.mode = 0o600 }
    }.explain()
    #expect(explanation.path == "/dev/video1")
    #expect(explanation.status == .limited)
    #expect(explanation.candidates.map(\.path) == ["/dev/video1", "/dev/video0", "/dev/video2"])
    #expect(explanation.candidates.map(\.answer) == [.allowed, .refused, .refused])
    #expect(explanation.furtherCauses.map(\.code) == [.uaccessNotActive])
  }

  @Test
  func `every camera granted is authorized`() {
    let explanation = Fixtures.camera.with {
      $0.addCamera(1)
      $0.join(Fixtures.video)
    }.explain()
    #expect(explanation.status == .authorized)
  }

  @Test
  func `a check of the parts does not speak for the whole`() {
    let explanation = Fixtures.camera.with {
      $0.join(Fixtures.video)
      $0.check(.read, 0)
      $0.check(.write, 0)
    }.explain()
    #expect(explanation.certainty == .predicted)
  }

  @Test
  func `a refused part refuses the whole`() {
    let explanation = Fixtures.camera.with {
      $0.join(Fixtures.video)
      $0.check(.write, 1)
    }.explain()
    #expect(explanation.cause?.code == .cgroupDevice)
    #expect(explanation.certainty == .proven)
  }

  @Test
  func `a group that the database took away is said, while it still grants`() {
    let explanation = Fixtures.camera.with {
      $0.facts.access.subject.groups.append(Fixtures.video)
    }.explain()
    #expect(explanation.answer == .allowed)
    #expect(explanation.evidence.contains { $0.contains("a new login would be refused") })
  }

  @Test
  func `an entry that no session accounts for is said, while it still grants`() {
    let explanation = Fixtures.camera.with {
      $0.list([ACLEntry(.user, Fixtures.alice, [.read, .write])])
    }.explain()
    #expect(explanation.answer == .allowed)
    #expect(explanation.evidence.contains { $0.contains("is stale") })
  }

  @Test
  func `an untagged device with an entry for somebody else names the stale entry`() {
    let explanation = Fixtures.camera.with {
      $0.device { $0.currentTags = ["seat"] }
      $0.list([ACLEntry(.user, Fixtures.bob, [.read, .write])])
    }.explain()
    #expect(explanation.furtherCauses.contains { $0.code == .aclStale })
  }

  @Test
  func `capabilities that lead to access in other ways are named and not used`() {
    let explanation = Fixtures.camera.with {
      $0.facts.access.subject.permitted = [.changeOwner]
    }.explain()
    #expect(explanation.status == .denied)
    #expect(explanation.evidence.contains { $0.contains("CAP_CHOWN") })
  }

  @Test
  func `a saved identifier of its own makes a refusal undetermined by status`() {
    let explanation = Fixtures.camera.with { $0.facts.access.subject.suid = 0 }.explain()
    #expect(explanation.status == .notDetermined)
    #expect(explanation.cause?.code == .capabilityNotEffective)
  }

  @Test
  func `a dangling link says where it leads`() {
    let explanation = Fixtures.camera.with {
      $0.ask("/srv/camera", .symbolicLink, mode: 0o777)
      $0.node("/srv/camera") { $0.target = "/dev/gone" }
    }.explain()
    #expect(explanation.answer == .absent)
    #expect(explanation.cause?.summary.contains("/dev/gone") == true)
  }

  /// open(2) checks the type before the permissions, while faccessat2(2), called for comparison,
  /// checks only the permissions.
  @Test(arguments: [false, true])
  func `the wrong type is told before a permission that lacks, too`(isChecked: Bool) {
    let list = Fixtures.camera.with {
      $0.ask("/srv/file", .regular, mode: 0o711)
      $0.facts.access.request = Question(.path("/srv/file"), purpose: .list)
        .request(for: "/srv/file", type: .regular)
      if isChecked { $0.check(.read, .permissionDenied) }
    }.explain()
    #expect(list.answer == .absent && list.decision.rule == .walkNotDirectory)
    #expect(list.disagreement == nil)
    let append = Fixtures.camera.with {
      $0.ask("/srv/dir", .directory)
      $0.facts.access.request = Question(.path("/srv/dir"), purpose: .append)
        .request(for: "/srv/dir", type: .directory)
      if isChecked { $0.check(.write, .permissionDenied) }
    }.explain()
    #expect(append.decision.rule == .openIsDirectory)
    #expect(append.disagreement == nil)
    #expect(append.answer == .refused)
  }

  /// For files, the same bit means permission to execute.
  @Test
  func `a search of what is no directory finds nothing`() {
    let request = Question(.path("/srv/file"), wanted: .search, purpose: .search)
      .request(for: "/srv/file", type: .regular)
    let explanation = Fixtures.camera.with {
      $0.ask("/srv/file", .regular)
      $0.facts.access.request = request
    }.explain()
    #expect(explanation.answer == .absent)
    #expect(explanation.cause?.summary.contains("/srv/file is not a directory") == true)
    let execution = Fixtures.camera.with {
      $0.ask("/srv/file", .regular, mode: 0o755, wanted: .execute)
    }
    #expect(execution.explain().answer == .allowed)
  }

  @Test
  func `the link of a camera means the camera`() {
    let explanation = Fixtures.camera.with {
      $0.ask("/dev/v4l/by-id/usb-cam", .symbolicLink, mode: 0o777)
      $0.node("/dev/v4l/by-id/usb-cam") { $0.target = "../../video0" }
      $0.device { $0.links = ["/dev/v4l/by-id/usb-cam"] }
    }.explain()
    #expect(explanation.device?.kernelName == "video0")
    #expect(explanation.cause?.code == .uaccessNotActive)
    #expect(explanation.cause?.at == "/dev/video0")
  }
}

extension AccessFacts {
  /// A Boolean value that indicates whether a seccomp filter refused even the check of `/`.
  fileprivate var isEveryCheckStopped: Bool {
    confinement.seccompMode == 2 && kernelChecks.contains { $0.path == "/" && $0.errno == 1 }
  }
}
