extension PreparedCase {
  /// Checks the object of open(2) in the kernel's order.
  ///
  /// The kernel's functions are `do_open`, `may_open` and `do_dentry_open`.
  ///
  /// Rules: <doc:PathRules#walk.notdir>, <doc:PathRules#opath.no_check>,
  /// <doc:PathRules#symlink.nofollow>, <doc:ObjectRules#open.isdir>, <doc:ObjectRules#mount.nodev>.
  func checkOpen(
    _ index: Int32, _ request: RequestedAccess, _ progress: inout Progress
  ) -> Finding {
    let node = nodes[Int(index)]
    let mount = mounts[Int(node.mount)]
    if request.marks.contains(.create),
      let finding = checkExisting(index, request, &progress)
    {
      return finding
    }
    if progress.requiresDirectory && node.type != .directory {
      return .denied(.walkNotDirectory, .notDirectory)
    }
    if request.marks.contains(.pathOnly) { return .granted(.openPathNoCheck) }
    if node.type == .regular && request.marks.contains(.truncate),
      let finding = readOnlyMount(mount, index, &progress)
    {
      return finding
    }
    switch node.type {
    case .symbolicLink: return .denied(.symlinkNoFollow, .tooManyLinks)
    case .directory:
      if request.wanted.contains(.write) {
        return .denied(.openIsDirectory, .isDirectory)
      }
    case .characterDevice, .blockDevice:
      if !mount.marks.isDisjoint(with: [.nodev, .superblockNodev]) {
        return .denied(.mountNodev, .permissionDenied)
      }
      if mount.marks.contains(.flagsUnobserved) {
        progress.raise(.mountFlags, .permissionDenied, at: index)
      }
      if mount.marks.contains(.superblockNodevUnobserved) {
        progress.raise(.superblockNodev, .permissionDenied, at: index)
      }
    case .regular, .fifo, .socket: break
    }
    let permission = inodePermission(index, request.wanted, &progress)
    if permission.isDenied { return permission }
    if let finding = checkAppendOnly(index, request, &progress) { return finding }
    if let finding = checkAccessTime(index, request, &progress) { return finding }
    if request.marks.contains(.writable) && !node.type.isSpecial,
      let finding = readOnlyMount(mount, index, &progress)
    {
      return finding
    }
    return permission
  }

  /// Checks the object of faccessat2(2) in the kernel's order (`do_faccessat`).
  ///
  /// Rules: <doc:PathRules#walk.notdir>, <doc:ObjectRules#mount.noexec>.
  func checkAccess(
    _ index: Int32, _ request: RequestedAccess, _ progress: inout Progress
  ) -> Finding {
    let node = nodes[Int(index)]
    let mount = mounts[Int(node.mount)]
    if progress.requiresDirectory && node.type != .directory {
      return .denied(.walkNotDirectory, .notDirectory)
    }
    if node.type == .regular && request.wanted.contains(.execute) {
      if mount.marks.contains(.noexec) {
        return .denied(.mountNoexec, .permissionDenied)
      }
      if mount.marks.contains(.flagsUnobserved) {
        progress.raise(.mountFlags, .permissionDenied, at: index)
      }
    }
    let permission = inodePermission(index, request.wanted, &progress)
    if permission.isDenied { return permission }
    if request.wanted.contains(.write) && !node.type.isSpecial,
      let finding = readOnlyMount(mount, index, &progress)
    {
      return finding
    }
    return permission
  }

  /// Returns the refusal by a read-only mount or superblock (`mnt_is_readonly`), if any.
  ///
  /// Rules: <doc:ObjectRules#mount.readonly>, <doc:ObjectRules#sb.readonly>.
  func readOnlyMount(
    _ mount: PreparedMount, _ index: Int32, _ progress: inout Progress
  ) -> Finding? {
    if mount.marks.contains(.readOnly) {
      return .denied(.mountReadOnly, .readOnlyFilesystem)
    }
    if mount.marks.contains(.superblockReadOnly) {
      return .denied(.superblockReadOnly, .readOnlyFilesystem)
    }
    if mount.marks.contains(.flagsUnobserved) {
      progress.raise(.mountFlags, .readOnlyFilesystem, at: index)
    }
    return nil
  }

  /// Refuses to overwrite or truncate an append-only file.
  ///
  /// Rule: <doc:ObjectRules#inode.append_only>.
  private func checkAppendOnly(
    _ index: Int32, _ request: RequestedAccess, _ progress: inout Progress
  ) -> Finding? {
    let node = nodes[Int(index)]
    let marks = request.marks
    // Truncation has no effect on a device, FIFO or socket.
    let rewrites =
      marks.contains(.notReadOnly) && !marks.contains(.append)
      || marks.contains(.truncate) && !node.type.isSpecial
    guard rewrites else { return nil }
    if node.marks.contains(.append) {
      return .denied(.inodeAppendOnly, .notPermitted)
    }
    if node.marks.contains(.flagsUnobserved) {
      progress.raise(.inodeFlags, .notPermitted, at: index)
    }
    return nil
  }

  /// Refuses `O_NOATIME` without ownership or `CAP_FOWNER` (`inode_owner_or_capable`).
  ///
  /// Rule: <doc:ObjectRules#open.noatime>.
  private func checkAccessTime(
    _ index: Int32, _ request: RequestedAccess, _ progress: inout Progress
  ) -> Finding? {
    guard request.marks.contains(.noAccessTime) else { return nil }
    let node = nodes[Int(index)]
    let credentials = progress.credentials
    let isOwner = isUser(node.uid, credentials, isUnknown: node.marks.contains(.idsUnknown))
    // This check does not require that the group is mapped.
    let mayAct = credentials.has(.actAsFileOwner).and(node.isOwnerMapped)
    switch max(isOwner, mayAct) {
    case .yes: return nil
    case .no: return .denied(.openNoAccessTime, .notPermitted)
    case .maybe:
      let doubt: MissingFact =
        isOwner == .maybe
        ? ownerDoubt(of: node)
        : capabilityDoubt(.actAsFileOwner, credentials, of: node)
      progress.raise(doubt, .notPermitted, at: index)
      return nil
    }
  }
}

extension PreparedCase {
  /// Decides whether an inode may be accessed, with the checks in the order of the kernel's
  /// `inode_permission`.
  ///
  /// Rules: <doc:ObjectRules#sb.readonly>, <doc:ObjectRules#inode.immutable>,
  /// <doc:ObjectRules#inode.unmapped_id>, <doc:ObjectRules#devcg>, and those of <doc:ModeRules>.
  func inodePermission(
    _ index: Int32, _ wanted: Permissions, _ progress: inout Progress
  ) -> Finding {
    let node = nodes[Int(index)]
    let mount = mounts[Int(node.mount)]
    if wanted.contains(.write) {
      if !node.type.isSpecial {
        if mount.marks.contains(.superblockReadOnly) {
          return .denied(.superblockReadOnly, .readOnlyFilesystem)
        }
        if mount.marks.contains(.flagsUnobserved) {
          progress.raise(.mountFlags, .readOnlyFilesystem, at: index)
        }
      }
      if node.marks.contains(.immutable) {
        return .denied(.inodeImmutable, .notPermitted)
      }
      if node.marks.contains(.flagsUnobserved) {
        progress.raise(.inodeFlags, .notPermitted, at: index)
      }
      if node.marks.contains(.idsUnknown) {
        progress.raise(.mountIDMap, .permissionDenied, at: index)
      } else if node.uid == PreparedNode.invalidID || node.gid == PreparedNode.invalidID {
        return .denied(.inodeUnmappedID, .permissionDenied)
      }
    }
    if mount.marks.contains(.hasOwnRules) { progress.raise(.filesystem, -1, at: index) }
    if mount.marks.contains(.hasOwnLists), node.marks.contains(.hasACL) {
      progress.raise(.filesystem, -1, at: index)
    }
    let finding = genericPermission(index, wanted, &progress)
    if finding.isDenied { return finding }
    if node.type.isDevice && (node.major != 0 || node.minor != 0) {
      if let list = access.subject.deviceCgroup, !list.allows(node, wanted) {
        return .denied(.deviceCgroup, .notPermitted)
      }
      if subject.isDeviceCgroupUnknown {
        progress.raise(.deviceCgroup, .notPermitted, at: index)
      }
    }
    return finding
  }

  /// Checks the mode, the access control list and the capabilities that override them.
  ///
  /// The kernel's function is `generic_permission`.
  private func genericPermission(
    _ index: Int32, _ wanted: Permissions, _ progress: inout Progress
  ) -> Finding {
    let node = nodes[Int(index)]
    let result = discretionaryAccess(node, wanted, progress.credentials)
    guard result.canDeny else { return result.finding }
    if result.finding.errno == .inputOutput { return result.finding }
    let capability = overridingCapability(node, wanted, progress.credentials)
    if let capability, capability.truth == .yes { return .granted(capability.rule) }
    if result.canGrant, let doubt = result.doubt {
      progress.raise(doubt, .permissionDenied, at: index)
      return .granted(result.finding.rule)
    }
    if let capability {
      progress.raise(capability.doubt, .permissionDenied, at: index)
      return .granted(capability.rule)
    }
    return result.finding
  }

  /// A capability that overrides a denial by the mode or list, or that may do so.
  struct Override {
    var truth: Ternary
    var rule: Rule
    var doubt: MissingFact
  }

  /// Returns the capability that overrides a denial: the first certain one, or the first possible
  /// one.
  ///
  /// Rules: <doc:ModeRules#cap.dac_read_search>, <doc:ModeRules#cap.dac_override>.
  func overridingCapability(
    _ node: PreparedNode, _ wanted: Permissions, _ credentials: Credentials
  ) -> Override? {
    if credentials.possibleCapabilities.isEmpty { return nil }
    var possible: Override?
    for rule in [Rule.readAndSearch, .overrideFileAccess] {
      let truth = isSufficient(rule, node, wanted, credentials)
      guard truth != .no else { continue }
      let capability: Capability =
        rule == .readAndSearch ? .readAndSearch : .overrideFileAccess
      let doubt = capabilityDoubt(capability, credentials, of: node)
      if truth == .yes { return Override(truth: .yes, rule: rule, doubt: doubt) }
      if possible == nil { possible = Override(truth: .maybe, rule: rule, doubt: doubt) }
    }
    return possible
  }

  /// Returns whether a capability by itself grants the requested permissions on an inode.
  func isSufficient(
    _ rule: Rule, _ node: PreparedNode, _ wanted: Permissions, _ credentials: Credentials
  ) -> Ternary {
    let isDirectory = node.type == .directory
    if rule == .readAndSearch {
      guard isDirectory ? !wanted.contains(.write) : wanted == .read else { return .no }
      return isCapable(.readAndSearch, credentials, of: node)
    }
    // Executing a file requires at least one execute bit in its mode.
    guard isDirectory || !wanted.contains(.execute) || node.mode & 0o111 != 0 else { return .no }
    return isCapable(.overrideFileAccess, credentials, of: node)
  }
}

extension FileType {
  /// A Boolean value that indicates whether the type is a device, FIFO or socket (`special_file`).
  ///
  /// Writing to such an object does not write to its filesystem.
  var isSpecial: Bool { isDevice || self == .fifo || self == .socket }
}

extension DeviceCgroup {
  /// Returns whether the list allows a device to be used.
  ///
  /// The kernel's function is `devcgroup_legacy_check_permission`.
  ///
  /// Rule: <doc:ObjectRules#devcg>.
  func allows(_ node: PreparedNode, _ wanted: Permissions) -> Bool {
    allows(
      DeviceNumber(major: node.major, minor: node.minor), isBlock: node.type == .blockDevice,
      for: wanted)
  }
}
