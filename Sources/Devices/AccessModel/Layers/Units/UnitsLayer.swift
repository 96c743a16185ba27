/// Settings of services that restrict access.
struct UnitsLayer: Layer {
  let assessment: Assessment
  let names: Names

  static let causes: [CauseDescription<UnitsLayer>] = [
    CauseDescription(
      .unitPrivateDevices, "unit's device policy", statusIfMissing: .restricted,
      remedies: { layer, cause in layer.policyRemedies(layer.place(of: cause)) },
      lookups: { layer, _ in layer.unitRemedies.deviceLookups() }),
    CauseDescription(
      .unitPolicyOutdated, "device newer than the unit's policy",
      // A line for the node itself fails as well until the driver is loaded.
      precedence: { layer in layer.missedModule == nil ? .byOrder : .only },
      remedies: { layer, _ in layer.outdatedPolicyRemedies() }),
    CauseDescription(
      .unitDynamicUser, "dynamic user without access",
      remedies: { layer, cause in
        let rules = UdevRuleRemedies(assessment: layer.assessment, names: layer.names)
        return [rules.groupRule(layer.place(of: cause))].compactMap(\.self)
      },
      note: { layer, _ in layer.dynamicUserNote }),
    CauseDescription(
      .unitProtectHome, "unit hides home directories", object: .other, statusIfMissing: .restricted,
      remedies: { layer, _ in layer.unitHomeRemedies() }),
    CauseDescription(
      .unitInaccessiblePath, "unit hides the path", object: .other, statusIfMissing: .restricted,
      remedies: { layer, cause in layer.unitPathRemedies(layer.place(of: cause)) },
      lookups: { layer, _ in layer.unitPathLookups() }),
    CauseDescription(
      .unitRootDirectory, "unit has another root directory",
      remedies: { layer, _ in layer.rootRemedies() },
      lookups: { layer, _ in layer.unitPathLookups() }),
  ]

  var unitRemedies: UnitRemedies { UnitRemedies(assessment: assessment, names: names) }

  private func policyRemedies(_ path: String) -> [Remedy] {
    if path == Self.nullDevice, self.path != path { return startRemedies() }
    return unitRemedies.policyRemedies(path) ?? unitRemedies.deviceRemedies(path)
  }

  // MARK: - Device policies

  /// Returns one cause for each refusing device policy of the service and its slices.
  ///
  /// - Returns: The causes; `nil` if no policy is known to refuse.
  func policyCauses(at path: String, isProven: Bool = false) -> [Cause]? {
    let refusing = unitRemedies.refusingPolicies
    guard !refusing.isEmpty else { return nil }
    let names = [path, place] + (assessment.device?.links ?? [])
    var causes: [Cause] = []
    for policy in refusing {
      if let name = missedClass(of: policy) {
        causes.append(
          Cause(
            .unitPolicyOutdated,
            summary: """
              \(policy.unit) allows \(name), but systemd made its device policy before the driver \
              was loaded, so the policy lacks the driver's devices, such as \(path).
              """, at: path, isProven: false))
      } else if policy.missed.contains(where: names.contains) {
        causes.append(
          Cause(
            .unitPolicyOutdated,
            summary: """
              \(policy.unit) allows \(path), but systemd made its device policy before the device \
              existed, so the policy lacks its number.
              """, at: path, isProven: false))
      } else {
        causes.append(
          Cause(
            .unitPrivateDevices, summary: refusal(by: policy, of: path), at: path,
            isProven: isOfUnit || isProven))
      }
    }
    return causes
  }

  /// Returns the driver's name that a policy lists, but that was not known when systemd made the
  /// policy; `nil` if the policy does not list the node's driver.
  private func missedClass(of policy: ServiceFacts.Policy) -> String? {
    guard let name = assessment.decidingStep?.node?.policyClass?.name,
      assessment.replacingObject == nil, policy.missed.contains(name)
    else { return nil }
    return name
  }

  /// The module of the driver that every refusing policy lists, but that was not loaded when systemd
  /// made the policies.
  private var missedModule: String? {
    let refusing = unitRemedies.refusingPolicies
    guard !refusing.isEmpty, refusing.allSatisfy({ missedClass(of: $0) != nil }) else { return nil }
    return assessment.decidingStep?.node?.policyClass?.module
  }

  private func refusal(by policy: ServiceFacts.Policy, of path: String) -> String {
    let unit = policy.unit
    let service = unit == confinement.unit ? nil : confinement.unit
    let whose = unit + (service.map { ", which contains \($0)," } ?? "")
    if let part = unitRemedies.part(allowedBy: policy).partialRefusal(of: path) {
      return "The device policy of \(whose) \(part)."
    }
    let reason = policy.setting.map { ": " + $0.effect } ?? ""
    let classes = policy.missed.filter { $0.hasPrefix("char-") || $0.hasPrefix("block-") }
    let unknown =
      classes.isEmpty
      ? ""
      : """
       Its list also names \(classes.joined(separator: " and ")), which no driver has (the names \
      are in /proc/devices).
      """
    return """
      The device policy of \(whose) refuses access to \(path) (EPERM), even for \
      root\(reason).\(unknown)
      """
  }

  /// Returns the cause for a service whose device policy is known only from its cgroup.
  func devicePolicyCause(at path: String) -> Cause? {
    guard let unit = confinement.serviceUnit else { return nil }
    let refusal =
      assessment.grantedPart.partialRefusal(of: path)
      ?? "refuses access to \(path) (EPERM), even for root"
    return Cause(
      .unitPrivateDevices, summary: "The device policy of \(unit) \(refusal).",
      at: path, isProven: isOfUnit && !assessment.isRefusedOutsideModel)
  }

  /// Returns the cause for a dynamic user, who owns no nodes and is usually only in its own group.
  func dynamicUserCause(_ node: Node) -> Cause? {
    guard let unit = confinement.serviceUnit, Subject.dynamicIDs.contains(subject.fsuid) else {
      return nil
    }
    let policies = confinement.service?.policies ?? []
    let hint =
      policies.contains { $0.unit == unit && $0.list != nil }
      ? " DeviceAllow= does not change the node's permissions." : ""
    let isForGroup = node.owningGroupPermissions.isSuperset(of: wanted)
    let group = isForGroup ? " and is not in \(names.group(node.gid))" : " (\(node.octalMode))"
    return Cause(
      .unitDynamicUser,
      summary: "\(unit) runs as a dynamic user, which does not own \(node.path)\(group).\(hint)",
      at: node.path)
  }

  private var dynamicUserNote: String? {
    guard !assessment.isRefusedOutsideModel, assessment.replacingObject?.opensNothing != true else {
      return nil
    }
    return """
      A dynamic user can have another ID at the next start, so only a group that the unit names \
      (SupplementaryGroups=) gives it lasting access.
      """
  }

  /// Returns the fixes that update outdated device policies.
  ///
  /// Restarting a service does not update the policy of its slice.
  func outdatedPolicyRemedies() -> [Remedy] {
    let renewal = "systemctl daemon-reload"
    if let module = missedModule {
      return [
        Remedy(
          """
          Load the \(module) module at every boot, before units start, and let systemd renew the \
          device policies of all running units
          """, commands: module.loadingCommands + [renewal], actor: .administrator,
          changes: [.lift(.deviceProgram)])
      ]
    }
    var remedies = [
      Remedy(
        "Let systemd renew the device policies of all running units",
        commands: [renewal], actor: .administrator,
        changes: [.lift(.deviceProgram)])
    ]
    if let unit = confinement.serviceUnit, device != nil,
      let driver = assessment.decidingStep?.node?.driverClass,
      unitRemedies.refusingPolicies.map(\.unit) == [unit]
    {
      remedies.append(
        unitRemedies.dropIn(
          unit, ["DeviceAllow=char-\(driver) \(wanted.letters)"], named: "devaccess-class",
          title: "Allow \(unit) to use every \(driver) device, whatever its number",
          changes: [.lift(.deviceProgram)], scope: "access to every \(driver) device"))
    }
    return remedies
  }

  // MARK: - Hidden paths

  /// Returns the cause if a setting of the unit has covered the node; `nil` if the node is not
  /// covered.
  func cause(covering node: Node) -> Cause? {
    hiddenByUnit(at: node) ?? protectedHome(node) ?? coveredByUnit(node)
  }

  /// Returns the cause for a node that `InaccessiblePaths=` or `PrivateDevices=` has covered.
  ///
  /// The covering node has no permissions and no device number.
  func hiddenByUnit(at node: Node?) -> Cause? {
    guard let node, node.type.isDevice, node.mode & 0o777 == 0,
      node.rdev == DeviceNumber(major: 0, minor: 0)
    else { return nil }
    let unit = confinement.unit ?? "the systemd unit"
    let cover = assessment.access.mounts.last { $0.at.isSame(as: node.path) && $0.isCover }
    let coverer = cover?.known.map { "\($0) of \(unit)" }
    return Cause(
      .unitInaccessiblePath,
      summary: "\(coverer ?? unit) hides \(node.path) behind a node that no user may open.",
      at: node.path)
  }

  /// Returns the cause for a directory or file that `InaccessiblePaths=` or `ProtectHome=` covers.
  private func coveredByUnit(_ node: Node) -> Cause? {
    guard isOfUnit, let unit = confinement.unit, node.mode & 0o777 == 0, node.uid == 0,
      let cover = assessment.access.mounts.last(where: { $0.at.isSame(as: node.path) && $0.isCover }
      )
    else { return nil }
    if cover.isOfHome {
      // The requested path led there through a link, for example from `/home`.
      return Cause(
        .unitProtectHome, summary: "ProtectHome= in \(unit) hides \(node.path).", at: node.path)
    }
    return Cause(
      .unitInaccessiblePath,
      summary: "\(cover.setting) in \(unit) covers \(node.path), which no user may use.",
      at: node.path)
  }

  private func protectedHome(_ node: Node) -> Cause? {
    guard let unit = confinement.unit, confinement.container == nil || isOfUnit,
      node.mode & 0o777 == 0,
      let cover = assessment.access.mounts.last(where: { $0.at.isSame(as: node.path) }),
      !cover.isOfList,
      ["/home", "/root", "/run/user"].contains(where: { home in
        node.path.isAtOrBelow(home)
      })
    else { return nil }
    return Cause(
      .unitProtectHome, summary: "ProtectHome= in \(unit) hides \(node.path).", at: node.path,
      isProven: isOfUnit)
  }

  /// The service with its own `/dev`, if `PrivateDevices=` has mounted a tmpfs there.
  ///
  /// Without that setting, `/dev` is a devtmpfs.
  var unitWithOwnDev: String? {
    // Before a unit starts, only a device that exists on the host is known to be hidden.
    guard isOfUnit ? assessment.device != nil || hasNVIDIA : confinement.container == nil,
      path.hasPrefix("/dev/"), hasOwnDev
    else { return nil }
    return confinement.serviceUnit
  }

  /// A Boolean value that indicates whether the path is a node of NVIDIA's driver, which is loaded.
  ///
  /// The nodes are not in sysfs. systemd adds a node's number to the policy only if the node
  /// exists.
  private var hasNVIDIA: Bool {
    let policies = confinement.service?.policies ?? []
    guard NodeCompanions.isNVIDIA(path) else { return false }
    return policies.contains { policy in
      policy.list?.exceptions.contains { $0.major == NodeCompanions.nvidiaMajor } ?? false
    } || facts.hardware?.modules.contains { $0.name == "nvidia" && $0.isLoaded } ?? false
  }

  /// Returns a clause that says that the unit has its own `/dev`.
  func ownDev(of unit: String) -> String {
    "\(unit) has its own /dev (\(ServiceFacts.PolicySetting.privateDevices.rawValue))"
  }

  /// Returns the cause for a device that udev knows but whose node is not in the unit's own `/dev`.
  func hiddenCause(_ node: String, known: String) -> Cause? {
    guard let unit = confinement.serviceUnit else { return nil }
    return Cause(
      .unitPrivateDevices,
      summary: "\(known): \(ownDev(of: unit)).", at: node,
      isProven: isOfUnit)
  }

  /// Returns the cause for a path below a directory that a setting of the unit hides.
  func hiddenByProtection() -> Cause? {
    guard isOfUnit, let unit = confinement.unit,
      let cover = assessment.access.mounts.last(where: {
        $0.isCover && place.isBelow($0.at)
      })
    else { return nil }
    let isHome =
      cover.isOfHome || !cover.isOfList && ["/home", "/root", "/run/user"].contains(cover.at)
    return Cause(
      isHome ? .unitProtectHome : .unitInaccessiblePath,
      summary: """
        \(isHome ? "ProtectHome=" : cover.setting) in \(unit) hides what is in \(cover.at).
        """, at: place)
  }

  func unitHomeRemedies() -> [Remedy] {
    guard let unit = confinement.serviceUnit else { return [] }
    let (target, isWritten) = homeTarget
    guard target.isConfigurationWord else { return [] }
    // `tmpfs` requires systemd 239, which was released at about the same time as Linux 4.17.
    if confinement.hasKernel(before: "4.17") {
      return [
        unitRemedies.dropIn(
          unit, ["ProtectHome=\(isWritten ? "no" : "read-only")"], named: "devaccess-home",
          title: "Make home directories \(isWritten ? "writable" : "readable") for \(unit)",
          scope: """
            access to everything else below /home, /root and /run/user that the service's user may \
            use
            """,
          assumes: "the user that \(unit) runs as has access to \(target)")
      ]
    }
    return [
      unitRemedies.dropIn(
        unit,
        [
          "ProtectHome=tmpfs",
          // Without the dash, the service would not start if the path does not exist.
          "\(isWritten ? "BindPaths" : "BindReadOnlyPaths")=-\(target)",
        ], named: "devaccess-home",
        title: "Let \(unit) see \(target), but nothing else that ProtectHome= hides",
        assumes: Remedy.both(
          "\(target) exists", "the user that \(unit) runs as has access to it"))
    ]
  }

  /// The path to make visible to the service, and whether the service needs to write to it.
  ///
  /// A system account needs its whole home directory. To create a file, a service needs the file's
  /// directory.
  private var homeTarget: (path: String, isWritten: Bool) {
    let request = assessment.access.request
    let path = request.path
    let hidden = ["/home", "/root", "/run/user"]
    if subject.fsuid < 1000, let home = facts.account.home, !hidden.contains(home),
      path.isAtOrBelow(home),
      hidden.contains(where: home.isBelow)
    {
      return (home, true)
    }
    guard request.creates, let slash = path.lastIndex(of: "/") else {
      return (path, wanted.contains(.write))
    }
    let directory = String(path[..<slash])
    return (hidden.contains(where: directory.isBelow) ? directory : path, true)
  }

  /// Returns the fixes for a path that a setting of the unit hides.
  ///
  /// For `InaccessiblePaths=`, the fix has no command, because several files can contribute to the
  /// list.
  func unitPathRemedies(_ path: String) -> [Remedy] {
    guard let unit = confinement.serviceUnit else { return [] }
    let cover = assessment.access.mounts.last { mount in
      mount.isCover && path.isAtOrBelow(mount.at)
    }
    let place = cover?.at ?? path
    let assumes = "the user that \(unit) runs as has access to what the unit hides there"
    if let setting = cover?.setting, setting != Mount.listedCover {
      return [
        unitRemedies.dropIn(
          unit, ["\(setting)no"], named: "devaccess-path",
          title: "Make \(place) visible to \(unit)",
          scope: "access to everything else that \(setting) denies \(unit)",
          assumes: assumes)
      ]
    }
    return [
      Remedy(
        "Remove \(place) from \(Mount.listedCover) of \(unit)", actor: .administrator,
        takesEffect: "when \(unit) is restarted", assumes: assumes)
    ]
  }

  func unitPathLookups() -> [Lookup] {
    guard let unit = confinement.unit, unit.isUnitName else { return [] }
    return [
      Lookup(
        "See which setting of the unit covers the path",
        commands: ["systemctl cat \(unit.shellOperand)"])
    ]
  }
}

extension ServiceFacts.PolicySetting {
  /// A clause that describes the effect of the setting.
  fileprivate var effect: String {
    switch self {
    case .privateDevices, .closed:
      "\(rawValue) allows only pseudo devices and those that DeviceAllow= lists"
    case .strict: "\(rawValue) allows only the devices that DeviceAllow= lists"
    case .list: "\(rawValue) allows only pseudo devices and those that it lists"
    case .protectClock:
      """
      in this version of systemd, \(rawValue) adds DeviceAllow=char-rtc, and with that line every \
      other device is refused
      """
    case .images:
      """
      in this version of systemd, \(rawValue) or MountImages= adds DeviceAllow= for loop devices, \
      and with that line every other device is refused
      """
    case .credentials:
      """
      in this version of systemd, \(rawValue) adds DeviceAllow= for the TPM, and with that line \
      every other device is refused
      """
    }
  }
}

extension Mount {
  /// A Boolean value that indicates whether systemd probably mounted this filesystem to cover a
  /// path.
  ///
  /// To cover a path, systemd uses a read-only tmpfs without devices or programs.
  fileprivate var isCover: Bool { fstype == "tmpfs" && readOnly && nodev && noexec && nosuid }

  /// A Boolean value that indicates whether the recorded source of the mount is `ProtectHome=`.
  ///
  /// The source is recorded only for a unit that has not started yet.
  fileprivate var isOfHome: Bool { source == "ProtectHome=" }

  fileprivate static let listedCover = "InaccessiblePaths="

  /// The setting that created the mount; `nil` if it was not recorded.
  ///
  /// The setting is recorded only for a unit that has not started yet.
  fileprivate var known: String? { source.flatMap { $0.hasSuffix("=") ? $0 : nil } }

  /// The setting that created the mount, or `InaccessiblePaths=` if it was not recorded.
  fileprivate var setting: String { known ?? Self.listedCover }

  /// A Boolean value that indicates whether the recorded source of the mount is
  /// `InaccessiblePaths=`.
  fileprivate var isOfList: Bool { source == Self.listedCover }
}
