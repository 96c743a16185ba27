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
