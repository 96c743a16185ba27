/// Units that cannot start.
extension UnitsLayer {
  static let nullDevice = "/dev/null"

  /// Returns the cause for a service that cannot start because its device policy refuses
  /// `/dev/null`.
  ///
  /// Unless `StandardInput=` is set, systemd opens the null device as standard input after it has
  /// applied the device policy.
  func startCause() -> Cause? {
    guard isOfUnit, let service = confinement.service, !service.isRunning,
      let unit = confinement.serviceUnit, path != Self.nullDevice,
      let policy = service.policies.first(where: refusesNull)
    else { return nil }
    let whose = policy.unit == unit ? "its device policy" : "the device policy of \(policy.unit)"
    return Cause(
      .unitPrivateDevices,
      summary: """
        \(unit) cannot start: \(whose) refuses \(Self.nullDevice), which is its standard input \
        (status 208/STDIN).
        """, at: Self.nullDevice, isProven: false)
  }

  private func refusesNull(_ policy: ServiceFacts.Policy) -> Bool {
    // All other settings allow the null device.
    guard policy.setting == .strict, let list = policy.list else { return false }
    return !list.allows(DeviceNumber(major: 1, minor: 3), isBlock: false, for: .read)
  }

  /// Returns the remedy that allows the null device in every unit that refuses it.
  func startRemedies() -> [Remedy] {
    guard let unit = confinement.serviceUnit else { return [] }
    let refusing = (confinement.service?.policies ?? []).filter(refusesNull).map(\.unit)
    guard !refusing.isEmpty, refusing.allSatisfy(\.isUnitName) else { return [] }
    let dropIns = refusing.map {
      UnitDropIn(unit: $0, lines: ["DeviceAllow=\(Self.nullDevice) rw"], name: "devaccess-null")
    }
    return [
      Remedy(
        "Allow \(refusing.joined(separator: " and ")) to use the null device",
        steps: [.dropIns(dropIns, restarting: unit, changes: [])],
        takesEffect: "when \(unit) is restarted",
        assumes: "StandardInput= in \(unit) does not name anything else")
    ]
  }
}

/// Services with their own root directory.
extension UnitsLayer {
  /// Returns the cause for a path that does not exist in the service's root directory
  /// (`RootDirectory=`).
  ///
  /// - Returns: The cause; `nil` for a path in a directory that systemd mounts there, such as
  ///   `/dev`.
  func outsideRootCause() -> Cause? {
    guard let root = confinement.service?.rootDirectory, let unit = confinement.unit,
      let mount = access.mount(of: place),
      !["/dev", "/proc", "/sys"].contains(where: mount.at.isAtOrBelow)
    else { return nil }
    return Cause(
      .unitRootDirectory,
      summary: """
        \(path) does not exist in \(root), the root directory of \(unit) (RootDirectory=). The \
        service sees only the files that its unit binds there.
        """, at: place, isProven: isOfUnit)
  }

  /// Returns the remedies that bind the path into the service's root directory.
  func rootRemedies() -> [Remedy] {
    guard let unit = confinement.serviceUnit else { return [] }
    if path.hasPrefix("/dev/") { return unitRemedies.deviceRemedies(path) }
    let target = access.creationDirectory ?? path
    guard target != "/", target.isConfigurationWord else { return [] }
    let isWritten = wanted.contains(.write) || access.request.creates
    return [
      unitRemedies.dropIn(
        unit, ["\(isWritten ? "BindPaths" : "BindReadOnlyPaths")=\(target)"],
        named: "devaccess-root", title: "Bind \(target) into the root directory of \(unit)",
        assumes: """
          \(target) exists on the host (otherwise \(unit) does not start), and the user that \
          \(unit) runs as has access to it
          """)
    ]
  }
}
