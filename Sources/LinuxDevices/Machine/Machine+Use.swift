public import AccessModel
internal import Glibc

extension Machine {
  /// The facts of a question, with who has the devices in question open.
  ///
  /// Processes are looked at only for cameras and sound devices that are there, and not where the
  /// drivers say that nobody uses them.
  ///
  /// - Parameters:
  ///   - facts: The facts.
  ///   - targets: Whose users to look for in place of those.
  /// - Returns: The facts; where nobody could be looked for, with the reason.
  public func observingUse(
    in facts: AccessFacts, of targets: [Question.Target]? = nil
  ) -> AccessFacts {
    let targets = targets ?? facts.targetsOfUse
    guard !targets.isEmpty else { return facts }
    var facts = facts
    do throws(DeviceError) {
      facts.take(try useByOthers(of: targets))
    } catch {
      let reason = error.errno?.reason ?? error.code.description
      facts.unobserved.append(Unobserved("use", at: error.path, reason: reason))
    }
    return facts
  }

  /// Who else holds devices open: nobody asks who asks, and this program may have opened them.
  ///
  /// - Throws: As ``use(of:)``.
  public func useByOthers(of targets: [Question.Target]) throws(DeviceError) -> UseFacts {
    var facts = try use(of: targets)
    guard self is LinuxMachine else { return facts }
    for index in facts.devices.indices {
      facts.devices[index].holders.removeAll { $0.process.id == getpid() }
    }
    return facts
  }

  /// Who uses those of some devices that are there.
  ///
  /// - Throws: As ``use(of:)``, except for a path that leads nowhere.
  public func useOfPresent(_ targets: [Question.Target]) throws(DeviceError) -> UseLook {
    try useOfPresent(targets, leavingOutOthers: false)
  }

  /// Who uses those of some devices that are there.
  ///
  /// - Parameters:
  ///   - targets: The devices.
  ///   - leavesOutOthers: Whether a path that leads to something else counts as one that leads nowhere:
  ///     from the start it is a mistake, and later it may make room for a device again.
  /// - Throws: As ``use(of:)``, except for a path that is left out.
  /// - Returns: Who uses them, and the paths that are left out.
  package func useOfPresent(
    _ targets: [Question.Target], leavingOutOthers leavesOutOthers: Bool
  ) throws(DeviceError) -> UseLook {
    var present = targets
    var absent: [String] = []
    while true {
      do throws(DeviceError) {
        return UseLook(try use(of: present), absentPaths: absent)
      } catch {
        guard error.isOfAbsentPath || leavesOutOthers && error.isOfTakenPath, let path = error.path,
          let index = present.firstIndex(of: .path(path))
        else { throw error }
        present.remove(at: index)
        absent.append(path)
      }
    }
  }

  /// Targets whose paths do not depend on the working directory, each once.
  ///
  /// - Throws: `invalidPath` for a path that no system call would take.
  package static func absolute(
    _ targets: [Question.Target]
  ) throws(DeviceError) -> [Question.Target] {
    var seen: Set<Question.Target> = []
    return try targets.map { (target) throws(DeviceError) in
      guard case .path(let path) = target else { return target }
      return .path(try AbsolutePath.resolve(path))
    }
    .filter { seen.insert($0).inserted }
  }
}

extension AccessFacts {
  /// Takes who uses the devices in question, as a look at them saw it.
  package mutating func take(_ use: UseFacts) {
    var use = use
    // The facts hold the devices already, but for one that a link of procfs leads to.
    let known = Set(devices.map(\.sysfsPath))
    for index in use.devices.indices
    where use.devices[index].device.map({ known.contains($0.sysfsPath) }) ?? false {
      use.devices[index].device = nil
    }
    self.use = use
  }
}
