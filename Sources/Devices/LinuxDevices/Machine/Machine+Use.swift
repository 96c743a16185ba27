public import AccessModel
internal import Glibc

extension Machine {
  /// Returns a copy of the facts that includes the users of the devices in question.
  ///
  /// By default, processes are scanned only for existing cameras and sound devices, and only if the
  /// drivers do not report that the devices are unused.
  ///
  /// - Parameters:
  ///   - facts: The facts.
  ///   - targets: The devices whose users to find; `nil` for the default.
  /// - Returns: The facts. If the users could not be determined, they contain the reason.
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

  /// Returns the users of devices other than this process, which may have opened them itself.
  ///
  /// - Throws: The errors of ``use(of:)``.
  public func useByOthers(of targets: [Question.Target]) throws(DeviceError) -> UseFacts {
    var facts = try use(of: targets)
    guard self is LinuxMachine else { return facts }
    for index in facts.devices.indices {
      facts.devices[index].holders.removeAll { $0.process.id == getpid() }
    }
    return facts
  }

  /// Returns the users of the devices that exist.
  ///
  /// - Throws: The errors of ``use(of:)``, except for a path that leads nowhere.
  public func useOfPresent(_ targets: [Question.Target]) throws(DeviceError) -> UseLook {
    try useOfPresent(targets, leavingOutOthers: false)
  }

  /// Returns the users of the devices that exist.
  ///
  /// - Parameters:
  ///   - targets: The devices.
  ///   - leavesOutOthers: A Boolean value that indicates whether to leave out a path to an object
  ///     that is not a device. At first, such a path is a mistake. Later, a device may appear there
  ///     again.
  /// - Throws: The errors of ``use(of:)``, except for a path that is left out.
  /// - Returns: The users, and the paths that were left out.
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

  /// Returns the targets with absolute paths and without duplicates.
  ///
  /// - Throws: `invalidPath` if no system call accepts a path, `unavailable` if the working
  ///   directory cannot be determined.
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
  /// Stores the users of the devices in question.
  package mutating func take(_ use: UseFacts) {
    var use = use
    // The facts already contain the devices, except for one that only a link in procfs leads to.
    let known = Set(devices.map(\.sysfsPath))
    for index in use.devices.indices
    where use.devices[index].device.map({ known.contains($0.sysfsPath) }) ?? false {
      use.devices[index].device = nil
    }
    self.use = use
  }
}
