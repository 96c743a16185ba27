/// The use of a device whose permissions allow access.
struct UseLayer: Layer {
  let assessment: Assessment
  let names: Names

  static let causes: [CauseDescription<UseLayer>] = [
    CauseDescription(
      .busy, "in use by another program",
      remedies: { layer, _ in layer.useRemedies() },
      lookups: { layer, cause in layer.useLookups(layer.place(of: cause)) }),
    CauseDescription(
      .nodeDeviceGone, "device behind the node is gone", object: .other,
      remedies: { layer, _ in layer.goneRemedies() }),
    CauseDescription(
      .nodeTaken, "kept by a login service", object: .other,
      remedies: { layer, cause in layer.keeperRemedies(cause) }),
    CauseDescription(
      .lockDirectory, "lock directory is closed",
      remedies: { layer, cause in layer.lockRemedies(cause) }),
    CauseDescription(
      .portProbed, "probed for a modem",
      remedies: { layer, _ in layer.probeRemedies() }),
    CauseDescription(
      .usbClaimed, "USB interface has a driver",
      // The user of a program cannot change the program.
      prefers: { _, remedy in !remedy.commands.isEmpty },
      remedies: { layer, _ in layer.claimRemedies() },
      lookups: { layer, cause in layer.claimLookups(layer.place(of: cause)) }),
    CauseDescription(
      .polkitRefused, "polkit refuses the device's daemon",
      // Access to the reader's node does not give access to the cards.
      precedence: { _ in .only },
      remedies: { layer, _ in layer.cardRemedies() },
      lookups: { layer, _ in layer.cardLookups() }),
    CauseDescription(
      .openFailed, "device cannot be opened",
      remedies: { layer, _ in layer.openingRemedies() },
      lookups: { layer, _ in layer.driverLookups() }),
    CauseDescription(
      .usbBandwidth, "no USB bandwidth left",
      remedies: { layer, _ in layer.bandwidthRemedies() }),
  ]

  private func claimLookups(_ path: String) -> [Lookup] {
    takenInterfaces.contains(where: \.isOfProgram) ? useLookups(path) : []
  }

  private func driverLookups() -> [Lookup] {
    guard assessment.unmetDemand == nil else { return [] }
    return [
      Lookup("Read what the driver reports", commands: [kernelLog()], isPrivileged: true)
    ]
  }

  // MARK: - Causes

  /// Returns the cause for a call that fails although the permissions allow access.
  func failureCause(_ attempt: Attempt) -> Cause {
    let name = attempt.errno.name
    if attempt.errno == .busy {
      return Cause(
        .busy,
        summary: """
          The permissions allow access to \(path), but \(user(of: "another program")) is using it: opening it fails \
          (\(name)).
          """, at: path)
    }
    return Cause(
      .openFailed,
      summary: """
        The permissions allow access to \(path), but \(attempt.call) fails (\(name)): the driver, or a \
        rule that cannot be seen, refuses.
        """, at: path, isProven: false)
  }

  /// Returns the cause for a block device whose driver refuses every open for writing.
  ///
  /// A device on a read-only mount can be opened for writing, so the error is the driver's
  /// (`mmc_blk_open`).
  func protectedCause() -> Cause? {
    guard assessment.object?.type == .blockDevice, wanted.contains(.write),
      assessment.attempt?.errno == .readOnlyFilesystem
    else { return nil }
    let reason =
      isOfCard
      ? "the device, or the card in it, is probably write-protected"
      : "its driver allows only reading at the moment"
    return Cause(
      .openFailed,
      summary: """
        The permissions allow access to \(path), but opening it for writing fails (EROFS): \(reason).
        """, at: path, isProven: false)
  }

  /// A Boolean value that indicates whether the node can be that of a memory card or a stick.
  private var isOfCard: Bool {
    ["/dev/mmcblk", "/dev/sd"].contains(where: path.hasPrefix)
  }

  /// Returns the cause for a requirement of a driver or a filesystem that the subject does not
  /// meet.
  func demandCause(_ demand: OpeningDemand) -> Cause {
    Cause(
      .openFailed,
      summary: """
        The permissions allow access to \(path), and opening it is refused (\(demand.errno.name)): \
        \(demand.words(confinement)).
        """, at: path, isProven: false)
  }

  /// Returns the obstacles to using a device that can be opened, such as another program or a full
  /// bus.
  func useCauses() -> [Cause] {
    guard assessment.conclusion == .granted else { return [] }
    guard let attempt = assessment.attempt, attempt.errno != 0 else {
      let occupation = occupationCause()
      let claim = claimCause()
      // A program that has claimed an interface excludes others. A program that only has the node
      // open might not exclude them.
      let isClaimFirst =
        occupation?.isProven != true && takenInterfaces.contains(where: \.isOfProgram)
      return
        (isClaimFirst
        ? [claim, sharedCause(), probeCause()]
        : [occupation, sharedCause(), probeCause(), claim]).compactMap(\.self)
    }
    switch attempt.errno {
    case .busy:
      return [
        Cause(
          .busy,
          summary: """
            Access to \(path) is allowed, but \(user(of: "another program")) is using it (EBUSY).
            """,
          at: path)
      ]
    case .noSpace where attempt.operation == .stream:
      return [
        Cause(
          .usbBandwidth,
          summary: "Access to \(path) is allowed, but its USB bus has no bandwidth left (ENOSPC).",
          at: path)
      ]
    default: return []
    }
  }

  /// Returns the cause if other programs have the device open and exclude, or may exclude, the
  /// subject.
  private func occupationCause() -> Cause? {
    switch assessment.occupation {
    case .busy:
      Cause(
        .busy,
        summary: """
          Access to \(path) is allowed, but \(user(of: "another program")) is using it, and the \
          device serves only one program at a time (EBUSY).
          """, at: path)
    case .held:
      Cause(
        .busy,
        summary: """
          Access to \(path) is allowed, but \(user(of: "another program")) has it open; \
          \(heldClause).
          """, at: path, isProven: false)
    case .free, .open, .unknown, nil: nil
    }
  }

  /// Returns the cause for a raw node of a camera pipeline that another program is using.
  func pipelineCause() -> Cause? {
    guard let (part, holders) = usedPipeline, let who = HolderWords(holders).text else {
      return nil
    }
    let isMapped = holders.contains(where: \.hold.isMapped)
    return Cause(
      .busy,
      summary: """
        \(who) \(isMapped ? "uses" : "has opened") \(part), a raw node of the camera's pipeline: \
        libcamera lets only one program at a time use a camera.
        """, at: part, isProven: false)
  }

  /// The node of a pipeline that other programs are using, and the programs.
  ///
  /// Nodes on which a program excludes others are preferred to nodes on which it may exclude them.
  var usedPipeline: (node: String, holders: [DeviceHolder])? {
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
      ? "it is not known whether that keeps other programs out"
      : "it is not known whether it streams, which would keep other programs out"
  }

  /// Returns a phrase for the programs that block the device, or the given phrase if they are
  /// unknown.
  func user(of unknown: String) -> String {
    let holders = assessment.otherHolders
    guard let use = assessment.use, let first = holders.first else { return unknown }
    // Leave out programs that block the device to a lesser degree.
    let degree = use.occupation(by: first)
    return HolderWords(holders.filter { use.occupation(by: $0) == degree }).text ?? unknown
  }

  /// Returns the cause for a node without a driver or a device, according to open(2).
  func goneCause() -> Cause? {
    guard let attempt = assessment.attempt else { return nil }
    switch attempt.errno {
    case .noSuchAddress:
      return Cause(
        .nodeNoDriver,
        summary: "\(path) exists, but no driver or device is behind its number (ENXIO).", at: path,
        isProven: confinement.seccompMode == 0)
    case .noSuchDevice:
      if let module = facts.hardware?.module(ofNode: path), !module.isLoaded {
        return Cause(
          .nodeNoDriver,
          summary: """
            \(path) exists, but its driver, the \(module.name) module, is not loaded (ENODEV).
            """, at: path, isProven: confinement.seccompMode == 0)
      }
      return Cause(
        .nodeDeviceGone,
        summary: """
          \(path) exists, but its device is gone (ENODEV): it may now have another \
          number.
          """, at: path, isProven: confinement.seccompMode == 0)
    default: return nil
    }
  }

  // MARK: - Remedies and look-ups

  func useLookups(_ path: String) -> [Lookup] {
    [
      Lookup(
        "See which program uses it",
        commands: ["devaccess users \(path.shellQuoted)"], isPrivileged: true)
    ]
  }

  /// Returns the fixes if a driver or a filesystem refuses to open the object.
  private func openingRemedies() -> [Remedy] {
    let mounts = MountsLayer(assessment: assessment, names: names)
    if protectedCause() != nil {
      guard isOfCard else { return [] }
      return [
        Remedy(
          "Remove the write protection of the device (an SD card and its adapter have a slider), and insert it again",
          actor: .user, assumes: "the device is not worn out: some cards then allow only reading")
      ]
    }
    return assessment.unmetDemand.map(demandRemedies) ?? mounts.abandonedFuseRemedies()
  }

  /// Returns the fixes for a requirement of a driver.
  ///
  /// They give the process the capability that the driver requires, or remove the requirement.
  private func demandRemedies(_ demand: OpeningDemand) -> [Remedy] {
    let log = demand == .kernelLog(isAlways: false) ? [kernelLogRemedy] : []
    guard let capability = demand.capability(confinement) else { return log }
    // A capability inside a user namespace does not count.
    guard subject.userNamespace == nil || demand == .capabilityInside(capability) else {
      return log
    }
    let scope = "everything that \(capability.constant) allows (capabilities(7))"
    if isOfUnit, let unit = confinement.serviceUnit, subject.euid != 0,
      subject.bounding.contains(capability)
    {
      let units = UnitRemedies(assessment: assessment, names: names)
      let own = units.dropIn(
        unit, ["AmbientCapabilities=\(capability.constant)"], named: "devaccess-capability",
        title: "Give \(unit) \(capability.constant)", scope: scope,
        assumes: "the driver refuses for nothing else")
      return [own] + log
    }
    let isOfUser = subject.fsuid != 0 && names.hasPlainName(user: subject.fsuid)
    let hasCommand = isOfUser && confinement.hasSystemd == true && confinement.container == nil
    let run = """
      systemd-run --pty --uid=\(names.userWord(subject.fsuid)) \
      --property=AmbientCapabilities=\(capability.constant) PROGRAM
      """
    return [
      Remedy(
        "Start the program with \(capability.constant)"
          + (hasCommand ? "; replace PROGRAM with its command" : ""),
        options: hasCommand ? [run] : [], actor: .administrator, scope: scope,
        assumes: "the driver refuses for nothing else")
    ] + log
  }

  /// The fix that lets everybody read the kernel log (sysctl(8), sysctl.d(5)).
  private var kernelLogRemedy: Remedy {
    let file = "/etc/sysctl.d/90-devaccess.conf"
    let isOutside = confinement.container != nil
    return Remedy(
      "\(isOutside ? "On the host, let" : "Let") every user read the kernel log",
      commands: [
        "printf '%s\\n' 'kernel.dmesg_restrict = 0' >> \(file)", "sysctl -p \(file)",
      ], actor: .administrator, scope: "every user and every program access to the kernel log",
      assumes: "the driver refuses for nothing else")
  }

  func bandwidthRemedies() -> [Remedy] {
    [
      Remedy(
        "Use a lower resolution or a compressed format, or plug the camera into another port",
        actor: .user, assumes: "the new port or format leaves the USB bus enough bandwidth")
    ]
  }

  /// Returns the fix for a node whose device no longer exists.
  func goneRemedies() -> [Remedy] {
    [
      Remedy(
        "Replug the device", actor: .user,
        assumes: "the device still works")
    ]
  }
}
