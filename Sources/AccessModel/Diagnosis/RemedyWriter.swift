/// Writes what mends a cause, least privilege first, as exact commands.
///
/// Every name and path is quoted for the shell. No remedy opens a device to everybody.
struct RemedyWriter: JudgementReader {
  let judgement: Judgement
  let names: Names

  init(_ judgement: Judgement) {
    self.judgement = judgement
    names = Names(judgement.facts.account, subject: judgement.subject)
  }

  /// The remedies of the first cause, then those that only the others have.
  func remedies(for causes: [Cause]) -> [Remedy] {
    var remedies: [Remedy] = []
    // A companion's rule gives a whole subsystem to a group: what others suggest gives less.
    let ordered = causes.filter { $0.code != .auxNode } + causes.filter { $0.code == .auxNode }
    for cause in ordered {
      for remedy in self.remedies(for: cause) where !remedies.contains(where: { $0.isLike(remedy) })
      {
        remedies.append(remedy)
      }
    }
    return Array(remedies.prefix(6))
  }

  private func remedies(for cause: Cause) -> [Remedy] {
    let at = cause.at ?? judgement.access.request.path
    let node = judgement.access.nodes.first { $0.path == at }
    return switch cause.code {
    case .groupNotMember: memberRemedies(node, at)
    case .modeGroup: groupBitRemedies(node, at)
    case .groupNotRefreshed, .groupsDropped: loginRemedies(cause, node)
    case .gidMismatch, .containerNoAccess, .nodeHidden, .containerHotplug:
      containerRemedies(node, at)
    case .modeOwner: ownerRemedies(node, at)
    case .aclNamedEntry, .aclGroupEntry, .aclAbsent: entryRemedies(node, at)
    case .aclMask: maskRemedies(node, at)
    case .aclStale: staleRemedies(node)
    case .uaccessNotActive: seatRemedies(node, at)
    case .uaccessNotTagged: [tagRule(), entry(at, node)].compactMap(\.self)
    case .bootRace: bootRemedies()
    case .parentNotSearchable, .albumTraverse: directoryRemedies(node, at)
    case .auxNode: companionRemedies(at)
    case .usernsUnmapped: namespaceRemedies(node, at)
    case .capabilityNotEffective: capabilityRemedies()
    case .mountNodev, .mountReadOnly, .mountNoexec: mountRemedies(cause.code, at)
    case .fileImmutable, .fileAppendOnly: attributeRemedies(cause.code, at)
    case .cgroupDevice: cgroupRemedies(at)
    case .unitPrivateDevices: unitDeviceRemedies(at)
    case .unitDynamicUser: unitUserRemedies(node)
    case .unitProtectHome: unitHomeRemedies(at)
    case .unitInaccessiblePath: unitPathRemedies()
    case .selinux, .appArmor, .landlock: moduleRemedies(cause.code)
    case .snapInterface: snapRemedies()
    case .flatpakDevice, .flatpakFilesystem: flatpakRemedies(cause.code, at)
    case .sandboxPrivateDev: sandboxRemedies(at)
    case .albumDirectoryMissing: albumRemedies(at)
    case .nodeAbsent: absenceRemedies()
    case .nodeAbsentNoDriver, .moduleLoadRefused, .moduleNotBuilt, .hardwareOff:
      hardwareRemedies(cause)
    case .busy, .usbBandwidth: useRemedies(cause.code, at)
    case .portalStoredNo, .portalStoredAsk, .portalService: portalRemedies(cause.code)
    case .nodeRenumbered, .wrongNodeMetadata, .wrongNodePipeline: otherNodeRemedies(cause.code)
    case .loopbackCaps: loopbackRemedies()
    case .nodeNotADevice: notADeviceRemedies(node, at)
    case .nfsIDMap: serverRemedies()
    default: []
    }
  }
}

extension Remedy {
  /// Whether both are the same thing to do.
  fileprivate func isLike(_ other: Remedy) -> Bool {
    commands.isEmpty && other.commands.isEmpty ? title == other.title : commands == other.commands
  }
}
