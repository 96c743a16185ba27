/// Remedies for the device policies of services and of the slices above them.
extension RemedyWriter {
  /// Allows the device in every unit whose policy refuses it.
  func policyRemedies(_ path: String) -> [Remedy]? {
    let finder = CauseFinder(judgement)
    let refusing = finder.refusingPolicies.map(\.unit)
    guard let service = confinement.serviceUnit, !refusing.isEmpty, refusing != [service],
      path.hasPrefix("/dev/"), path.isConfigurationWord
    else { return nil }
    let dropIns = refusing.map { unit in
      let own = unit.hasSuffix(".slice") ? [] : ["PrivateDevices=no", "DevicePolicy=closed"]
      return UnitDropIn(
        unit: unit, lines: own + ["DeviceAllow=\(path) \(wanted.letters)"], name: "devaccess")
    }
    return [
      Remedy(
        "Allow the device in \(refusing.joined(separator: " and "))",
        steps: [
          .dropIns(dropIns, restarting: service, changes: [.lift(.deviceProgram)])
        ],
        scope: "every service in the slice can then use the device if its own policy allows it",
        takesEffect: "on restart of \(service)")
    ]
  }

  /// Makes the device policies anew, which a restart of a service in a slice would not do.
  func outdatedPolicyRemedies() -> [Remedy] {
    var remedies = [
      Remedy(
        "Let systemd renew the device policies of all running units",
        commands: ["systemctl daemon-reload"], actor: .administrator,
        changes: [.lift(.deviceProgram)])
    ]
    if let unit = confinement.serviceUnit, let device, device.subsystem == "video4linux",
      CauseFinder(judgement).refusingPolicies.map(\.unit) == [unit]
    {
      remedies.append(
        dropIn(
          unit, ["DeviceAllow=char-video4linux \(wanted.letters)"], named: "devaccess-class",
          title: "Allow \(unit) the class of the device, whenever one comes",
          changes: [.lift(.deviceProgram)], scope: "every device of video4linux"))
    }
    return remedies
  }
}
