extension PreparedCase {
  /// Decides whether a missing name may be created, and ends the walk with the result.
  ///
  /// The kernel's functions are `open_last_lookups`, `lookup_open` and `may_o_create`. A new file
  /// is opened regardless of its mode, so no further checks follow.
  func create<Recorder: DecisionRecorder>(
    _ name: NameReference, in directory: Int32, _ progress: inout Progress,
    _ recorder: inout Recorder
  ) {
    progress.stepDoubt = nil
    let finding = mayCreate(in: directory, &progress)
    progress.finding = finding
    progress.node = directory
    progress.wanted = [.write, .search]
    recorder.record(
      RecordedCheck(
        matter: .creation(name, directory: directory), finding: finding, doubt: progress.stepDoubt))
  }

  /// Decides whether the directory, its mount and its filesystem allow the creation of a name.
  ///
  /// Rules: <doc:CreationRules#create.unmapped_id>, <doc:CreationRules#create.unsupported>.
  private func mayCreate(in directory: Int32, _ progress: inout Progress) -> Finding {
    let mount = mounts[Int(nodes[Int(directory)].mount)]
    if mount.marks.contains(.refusesNames) { return .denied(.createUnsupported, .noSuchFile) }
    if let finding = readOnlyMount(mount, directory, &progress) { return finding }
    switch canHold(progress.credentials, directory) {
    case .yes: break
    case .no: return .denied(.createUnmappedID, .overflow)
    case .maybe:
      let isMountUnknown = nodes[Int(directory)].marks.contains(.idsUnknown)
      progress.raise(
        isMountUnknown ? .mountIDMap : .subjectIDs, .overflow, at: directory)
    }
    let finding = inodePermission(directory, [.write, .search], &progress)
    if finding.isDenied { return finding }
    if mount.marks.contains(.cannotCreate) {
      return .denied(.createUnsupported, .permissionDenied)
    }
    return finding
  }

  /// Returns whether the filesystem of a directory can store the IDs of the user who creates a
  /// file.
  ///
  /// The kernel's function is `fsuidgid_has_mapping`.
  private func canHold(_ credentials: Credentials, _ directory: Int32) -> Ternary {
    let number = Int(nodes[Int(directory)].mount)
    guard number < access.mounts.count else { return .maybe }
    let mount = access.mounts[number]
    if mounts[number].marks.contains(.idmapUnobserved) { return .maybe }
    // Without maps, the filesystem can store every ID.
    if mount.idmap == nil && mount.filesystemNamespace == nil { return .yes }
    if subject.areIDsUnknown { return .maybe }
    return Ternary(
      mount.userStored(credentials.fsuid) != nil && mount.groupStored(credentials.fsgid) != nil)
  }

  /// Checks an existing object that is opened with `O_CREAT`, in the kernel's order (`do_open`).
  ///
  /// Rules: <doc:CreationRules#open.exists>, <doc:CreationRules#create.sticky>,
  /// <doc:ObjectRules#open.isdir>.
  func checkExisting(
    _ index: Int32, _ request: RequestedAccess, _ progress: inout Progress
  ) -> Finding? {
    if request.marks.contains(.exclusive) { return .denied(.openExists, .exists) }
    if nodes[Int(index)].type == .directory {
      return .denied(.openIsDirectory, .isDirectory)
    }
    guard progress.lastDirectory >= 0 else { return nil }
    let node = nodes[Int(index)]
    switch isRefusedAsSticky(index, in: progress.lastDirectory, progress.credentials) {
    case .no: return nil
    case .yes where !isStickyRuleUnknown(for: node.type):
      return .denied(.createSticky, .permissionDenied)
    case .yes:
      progress.raise(.settings, .permissionDenied, at: index)
      return nil
    case .maybe:
      progress.raise(ownerDoubt(of: node), .permissionDenied, at: index)
      return nil
    }
  }

  /// Returns whether the kernel refuses to open another user's object in a sticky directory with
  /// `O_CREAT`.
  ///
  /// No capability overrides this. The kernel's function is `may_create_in_sticky`. The settings
  /// apply to regular files and FIFOs. Any other object is refused in a directory that all users
  /// can write to.
  private func isRefusedAsSticky(
    _ index: Int32, in directory: Int32, _ credentials: Credentials
  ) -> Ternary {
    let (node, holder) = (nodes[Int(index)], nodes[Int(directory)])
    guard holder.mode & 0o1000 != 0 else { return .no }
    // An unknown setting counts as the strictest; the caller treats such a refusal as a doubt.
    let level: Int? =
      switch node.type {
      case _ where isStickyRuleUnknown(for: node.type): 2
      case .regular: access.protectedRegular
      case .fifo: access.protectedFifos
      default: nil
      }
    guard level != 0 else { return .no }
    let isGroupProtected = holder.mode & 0o020 != 0 && (level ?? 0) >= 2
    guard holder.mode & 0o002 != 0 || isGroupProtected else { return .no }
    let isOwn = isUser(node.uid, credentials, isUnknown: node.marks.contains(.idsUnknown))
    switch max(isOwn, isSameOwner(node, holder)) {
    case .yes: return .no
    case .maybe: return .maybe
    case .no: return .yes
    }
  }

  /// Returns whether the setting that ``isRefusedAsSticky(_:in:_:)`` uses was not observed.
  private func isStickyRuleUnknown(for type: FileType) -> Bool {
    switch type {
    case .regular: access.unobserved.contains(.protectedRegular)
    case .fifo: access.unobserved.contains(.protectedFifos)
    default: false
    }
  }
}

extension Request {
  /// A Boolean value that indicates whether the request creates a file if the name does not exist.
  public var creates: Bool {
    guard case .open(_, let flags) = self else { return false }
    return flags.contains(.create) && !flags.contains(.path)
  }
}

extension AccessCase {
  /// The canonical path of the directory in which the request creates a file.
  ///
  /// The value is `nil` if the request does not create a file, or if it fails before the kernel
  /// checks whether a file may be created.
  public var creationDirectory: String? {
    guard request.creates else { return nil }
    let last = PreparedCase(self).lastCheck(for: request)
    return last?.creationDirectory.map { nodes[Int($0)].path }
  }
}
