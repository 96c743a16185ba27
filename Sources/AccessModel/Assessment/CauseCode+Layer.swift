extension CauseCode {
  /// The layers that can refuse access; each has its own folder.
  enum Layer: Hashable, Sendable {
    /// Modes, lists, groups and capabilities.
    case permissions
    /// udev's rules, and the devices of a seat's active user.
    case seats
    /// The settings of services.
    case units
    /// Containers and their namespaces, and the device control group.
    case containers
    /// Snaps, flatpaks and other sandboxes.
    case sandboxes
    /// Security modules and seccomp filters.
    case policies
    /// Drivers and their modules.
    case drivers
    /// The bus, switches and the firmware.
    case hardware
    /// The type and identity of the node, regardless of its permissions.
    case nodes
    /// The use of a device by programs.
    case use
    /// Mounts and file servers.
    case mounts
    /// The directories on the path, and the pictures directory.
    case directories
    /// The path itself and the flags of the call.
    case paths
    /// The camera portal.
    case portal
  }

  /// The layer that the cause belongs to; `nil` if the cause is not known.
  var layer: Layer? {
    switch self {
    case .modeOwner, .modeGroup, .groupNotMember, .groupNotRefreshed, .groupsDropped, .aclMask,
      .aclNamedEntry, .aclGroupEntry, .capabilityNotEffective:
      .permissions
    case .aclAbsent, .aclStale, .uaccessNotTagged, .uaccessNotActive, .bootRace, .udevNotRunning:
      .seats
    case .unitPrivateDevices, .unitPolicyOutdated, .unitDynamicUser, .unitProtectHome,
      .unitInaccessiblePath, .unitRootDirectory:
      .units
    case .nodeHidden, .containerHotplug, .containerNoAccess, .gidMismatch, .usernsUnmapped,
      .cgroupDevice:
      .containers
    case .snapInterface, .flatpakDevice, .flatpakFilesystem, .sandboxPrivateDev,
      .udevDatabaseHidden:
      .sandboxes
    case .selinux, .appArmor, .landlock, .seccomp: .policies
    case .nodeAbsent, .nodeAbsentNoDriver, .usbDriverBound, .moduleLoadRefused, .moduleNotBuilt:
      .drivers
    case .usbNotAuthorized, .usbNotConfigured, .hardwareOff: .hardware
    case .nodeNoDriver, .nodeNotADevice, .nodeOtherDevice, .nodeRenumbered, .wrongNodeMetadata,
      .wrongNodePipeline, .loopbackCaps, .auxNode:
      .nodes
    case .busy, .openFailed, .usbBandwidth, .nodeDeviceGone, .nodeTaken, .lockDirectory,
      .portProbed, .usbClaimed, .polkitRefused:
      .use
    case .mountNodev, .mountReadOnly, .mountPropagation, .nfsIDMap, .fuseOtherUser: .mounts
    case .parentNotSearchable, .albumTraverse, .albumDirectoryMissing: .directories
    case .pathNotADirectory, .pathTooLong, .symlinkLoop, .symlinkRefused, .openFlagRefused,
      .mountNoexec, .fileImmutable, .fileAppendOnly:
      .paths
    case .portalStoredNo, .portalStoredAsk, .portalService: .portal
    case .unknown: nil
    }
  }
}
