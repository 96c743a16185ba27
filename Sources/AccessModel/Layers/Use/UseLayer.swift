/// What using a device comes to, behind the permissions.
struct UseLayer: Layer {
  let assessment: Assessment
  let names: Names

  func remedies(for cause: Cause) -> [Remedy] {
    switch cause.code {
    case .busy: useRemedies()
    case .usbBandwidth: bandwidthRemedies()
    case .nodeDeviceGone: goneRemedies()
    case .nodeTaken: keeperRemedies(cause)
    case .lockDirectory: lockRemedies(cause)
    case .usbClaimed: claimRemedies()
    case .portProbed: probeRemedies()
    case .polkitRefused: cardRemedies()
    case .openFailed: assessment.unmetDemand.map(demandRemedies) ?? []
    default: []
    }
  }

  func lookups(for cause: Cause) -> [Lookup] {
    switch cause.code {
    case .busy: useLookups(place(of: cause))
    case .usbClaimed:
      takenInterfaces.contains(where: \.isOfProgram) ? useLookups(place(of: cause)) : []
    case .polkitRefused: cardLookups()
    case .openFailed where assessment.unmetDemand == nil:
      [
        Lookup(
          "Read what the driver says", commands: [kernelLog()],
          isPrivileged: true)
      ]
    default: []
    }
  }

  // MARK: - Causes

  /// What a driver answers once the permissions are passed.
  func failureCause(_ attempt: Attempt) -> Cause {
    let name = attempt.errno.name
    if attempt.errno == .busy {
      return Cause(
        .busy,
        summary:
          "\(user(of: "Another program")) uses \(path), which only one program may open (\(name)).",
        at: path)
    }
    return Cause(
      .openFailed,
      summary: """
        The permissions allow \(path), but \(attempt.call) fails (\(name)): the driver, or a \
        rule that cannot be seen, refuses.
        """, at: path, isProven: false)
  }

  /// What a driver or a filesystem asks for behind the permissions, and the subject lacks.
  func demandCause(_ demand: OpeningDemand) -> Cause {
    Cause(
      .openFailed,
      summary: """
        The permissions allow \(path), and opening it is refused (\(demand.errno.name)): \
        \(demand.words(confinement)).
        """, at: path, isProven: false)
  }

  /// What speaks against a device that may be opened: somebody uses it, or its bus is full.
  func useCauses() -> [Cause] {
    guard assessment.verdict == .granted else { return [] }
    guard let attempt = assessment.attempt, attempt.errno != 0 else {
      let occupation = occupationCause()
      let claim = claimCause()
      // A program that has claimed an interface keeps others out of it; whether an open node does
      // is not known.
      let isClaimFirst =
        occupation?.isProven != true && takenInterfaces.contains(where: \.isOfProgram)
      return
        (isClaimFirst
        ? [claim, occupation, sharedCause(), probeCause()]
        : [occupation, sharedCause(), probeCause(), claim]).compactMap(\.self)
    }
    switch attempt.errno {
    case .busy:
      return [
        Cause(
          .busy,
          summary: "\(path) may be used, but \(user(of: "another program")) is using it (EBUSY).",
          at: path)
      ]
    case .noSpace where attempt.operation == .stream:
      return [
        Cause(
          .usbBandwidth,
          summary: "\(path) may be used, but its USB bus has no bandwidth left (ENOSPC).",
          at: path)
      ]
    default: return []
    }
  }

  /// What the programs that have the device open leave to the subject, unless they leave it all.
  private func occupationCause() -> Cause? {
    switch assessment.occupation {
    case .busy:
      Cause(
        .busy,
        summary: """
          \(path) may be used, but \(user(of: "another program")) is using it, and it serves one \
          program at a time (EBUSY).
          """, at: path)
    case .held:
      Cause(
        .busy,
        summary: """
          \(path) may be used, but \(user(of: "another program")) has it open; \(heldClause).
          """, at: path, isProven: false)
    case .free, .open, .unknown, nil: nil
    }
  }

  /// That another program uses a raw node of a camera's pipeline.
  func pipelineCause() -> Cause? {
    guard let (part, holders) = usedPipeline, let who = HolderWords(holders).text else {
      return nil
    }
    let isMapped = holders.contains(where: \.hold.isMapped)
    return Cause(
      .busy,
      summary: """
        \(who) has \(part) \(isMapped ? "mapped" : "open"), a raw node of the camera's pipeline: \
        libcamera gives a camera to one program at a time.
        """, at: part, isProven: false)
  }

  /// The part of a pipeline that programs use, and those that are in the way.
  private var usedPipeline: (node: String, holders: [DeviceHolder])? {
    guard let all = facts.use, facts.kind == DeviceKind.camera.name || device?.role == .pipeline
    else {
      return nil
    }
    var held: (node: String, holders: [DeviceHolder])?
    for part in facts.devices where part.role == .pipeline || part.role == .subdevice {
      guard var use = all.use(of: part) else { continue }
      use.device = use.device ?? part
      let others = use.holders.filter { $0.process.id != facts.origin?.pid }
      let blocking = others.filter { use.occupation(by: $0) == .busy }
      if !blocking.isEmpty { return (use.node, blocking) }
      let holding = others.filter { use.occupation(by: $0) == .held }
      if held == nil, !holding.isEmpty { held = (use.node, holding) }
    }
    return held
  }

  private var heldClause: String {
    assessment.use?.isStreamed == false
      ? "whether that keeps others out cannot be told"
      : "whether it streams, which would keep others out, cannot be told"
  }

  /// The program that is in the way, or words for one that is not known.
  func user(of unknown: String) -> String {
    let holders = assessment.otherHolders
    guard let use = assessment.use, let first = holders.first else { return unknown }
    // Whoever keeps nobody out is not in the way of anybody.
    let degree = use.occupation(by: first)
    return HolderWords(holders.filter { use.occupation(by: $0) == degree }).text ?? unknown
  }

  /// A node without anything behind it, as open(2) found out.
  func goneCause() -> Cause? {
    guard let attempt = assessment.attempt else { return nil }
    switch attempt.errno {
    case .noSuchAddress:
      return Cause(
        .nodeNoDriver,
        summary: "\(path) exists, but no driver or device is behind its number (ENXIO).", at: path,
        isProven: confinement.seccompMode == 0)
    case .noSuchDevice:
      return Cause(
        .nodeDeviceGone,
        summary: """
          \(path) exists, but its device is gone (ENODEV): it may have come back under another \
          number.
          """, at: path, isProven: confinement.seccompMode == 0)
    default: return nil
    }
  }

  // MARK: - Remedies and look-ups

  func useRemedies() -> [Remedy] {
    if let names = usedPipeline.map({ HolderWords($0.holders).names }), let first = names.first {
      return [
        Remedy(
          "Close \(first)", actor: .user, assumes: "it is a program that may be closed")
      ]
    }
    guard let holder = assessment.otherHolders.first else {
      return [
        Remedy(
          "Close the program that uses it", actor: .user,
          assumes: "it is one that may be closed; 'devaccess users' shows which it is")
      ]
    }
    let name = HolderWords.word(holder.process.name)
    if holder.process.isMediaServer {
      return [
        Remedy(
          "Use it through \(name), which shares it among programs", actor: .user,
          assumes: "the program can use \(name) in place of the device")
      ]
    }
    let close = Remedy(
      "Close \(name) (process \(holder.process.id))", actor: .user,
      assumes: "it is a program that may be closed")
    let desktop = desktopRemedies(holder.process)
    return desktop.isEmpty ? [serviceRemedy(holder.process), close].compactMap(\.self) : desktop
  }

  /// Makes the desktop's file service (GVfs) let go of the device, now and for good; empty for another
  /// program.
  ///
  /// The monitors start it whenever such a device comes. The service that its programs run in serves
  /// every other place of the desktop, too.
  private func desktopRemedies(_ process: HoldingProcess) -> [Remedy] {
    let kinds = ["gphoto2", "mtp", "afc"]
    guard process.isOfSystem != false, confinement.container == nil,
      confinement.hasSystemd != false,
      process.unitUser == nil || process.unitUser == subject.fsuid, process.user == subject.fsuid,
      // A command name ends after 15 bytes.
      let kind = kinds.first(where: {
        process.name == "gvfsd-\($0)"
          || "gvfs-\($0)-volume-monitor".hasPrefix(process.name)
            && process.name.utf8.count == 15
      })
    else { return [] }
    let monitor = "gvfs-\(kind)-volume-monitor.service"
    return [
      Remedy(
        "Prevent the desktop from opening such devices automatically",
        commands: ["systemctl --user mask --now \(monitor)", "gio mount -s \(kind)"], actor: .user,
        assumes: "file managers need not show such devices any more"),
      Remedy(
        "Make the desktop release the device", commands: ["gio mount -s \(kind)"], actor: .user,
        until: .replug, assumes: "nothing copies files from it now"),
    ]
  }

  /// Stops the service that has the device open and keeps it from starting again, as it would after its
  /// process is closed; `nil` for a program that is no service, and where its manager is out of reach.
  ///
  /// Masking also keeps D-Bus and sockets from starting it.
  private func serviceRemedy(_ process: HoldingProcess) -> Remedy? {
    guard let unit = process.unit, unit.isUnitName, unit.hasSuffix(".service"),
      !unit.hasPrefix("user@"), confinement.container == nil, confinement.hasSystemd != false,
      process.unitUser == nil || process.unitUser == subject.fsuid
    else { return nil }
    let manager = process.unitUser == nil ? "systemctl" : "systemctl --user"
    return Remedy(
      "Stop \(unit), and prevent it from starting again",
      commands: [
        "\(manager) mask --now \(unit.shellOperand)"
      ], actor: process.unitUser == nil ? .administrator : .user,
      assumes: """
        no other program needs \(unit), and its unit file is not in \
        \(process.unitUser == nil ? "/etc" : "~/.config")/systemd (if it is, use disable instead of mask)
        """)
  }

  func useLookups(_ path: String) -> [Lookup] {
    [
      Lookup(
        "See which program uses it",
        commands: ["devaccess users \(path.shellQuoted)"], isPrivileged: true)
    ]
  }

  /// A capability for a process, where one is what the driver asks for.
  private func demandRemedies(_ demand: OpeningDemand) -> [Remedy] {
    guard let capability = demand.capability(confinement) else { return [] }
    return [
      Remedy(
        "Start the program with \(capability.constant)", actor: .administrator,
        scope: "all that \(capability.constant) allows (capabilities(7))",
        assumes: "the driver refuses for nothing else")
    ]
  }

  func bandwidthRemedies() -> [Remedy] {
    [
      Remedy(
        "Ask for a smaller picture or a compressed format, or plug the camera into another port",
        actor: .user, assumes: "the new port or format leaves the USB bus enough bandwidth")
    ]
  }

  /// What to do about a node without a device behind it.
  func goneRemedies() -> [Remedy] {
    [
      Remedy(
        "Unplug the device and plug it in again", actor: .user,
        assumes: "the device still works")
    ]
  }
}
