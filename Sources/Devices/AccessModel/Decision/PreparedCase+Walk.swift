extension PreparedCase {
  /// The maximum length of a name in bytes (`NAME_MAX`).
  static let nameMax = 255
  /// The maximum length of a path in bytes, including the terminating zero byte (`PATH_MAX`).
  static let pathMax = 4096
  /// The maximum number of symbolic links that a path walk follows.
  static let maximumLinks = 40

  /// Walks a path or a link's target, and returns the final node, or -1 if the walk ends early.
  ///
  /// The kernel's functions are `link_path_walk`, `walk_component` and `step_into`. Each component,
  /// including `.` and `..`, requires search permission on the directory in which it is looked up.
  /// The recursion depth is limited by ``maximumLinks``.
  ///
  /// - Parameters:
  ///   - path: The path or target.
  ///   - source: The node of the link whose target is walked, or -1.
  ///   - start: The directory to start from, even if the path is absolute.
  ///   - isTrailing: Whether the last component is the final object of the whole walk.
  ///   - progress: The state of the decision.
  ///   - recorder: Receives every check.
  /// - Returns: The node, or -1.
  func walk<Recorder: DecisionRecorder>(
    _ path: Span<UInt8>, source: Int32, from start: Int32, isTrailing: Bool,
    _ progress: inout Progress, _ recorder: inout Recorder
  ) -> Int32 {
    let slash = UInt8(ascii: "/")
    var current = start
    var position = 0
    while position < path.count && path[position] == slash { position += 1 }
    while position < path.count {
      guard isDirectory(current, &progress, &recorder), maySearch(current, &progress, &recorder)
      else { return -1 }
      let nameStart = position
      while position < path.count && path[position] != slash { position += 1 }
      let nameEnd = position
      while position < path.count && path[position] == slash { position += 1 }
      let isLast = position == path.count
      let isFinal = isLast && isTrailing
      let name = path.extracting(nameStart..<nameEnd)

      if Self.isDots(name, 1) { continue }
      if Self.isDots(name, 2) {
        if current != root { current = nodes[Int(current)].parent }
        continue
      }
      if isFinal { progress.lastDirectory = current }
      if isFinal && nameEnd < path.count {
        if progress.creates {
          // The call fails before the name is looked up.
          _ = finish(
            .final, current, [], .denied(.openIsDirectory, .isDirectory), &progress,
            &recorder)
          return -1
        }
        progress.followsFinalLink = true
        progress.requiresDirectory = true
      }
      let reference = NameReference(
        source: source, start: Int32(truncatingIfNeeded: nameStart),
        count: Int32(truncatingIfNeeded: name.count))
      guard
        let next = lookUp(name, reference, in: current, isFinal: isFinal, &progress, &recorder)
      else { return -1 }
      guard nodes[Int(next)].type == .symbolicLink else {
        current = next
        continue
      }
      if isFinal && !progress.followsFinalLink { return next }
      guard mayFollow(next, in: current, isFinal: isFinal, &progress, &recorder) else {
        return -1
      }
      let link = nodes[Int(next)]
      let target = bytes.span.extracting(
        Int(link.targetStart)..<Int(link.targetStart + link.targetCount))
      let base = target.count > 0 && target[0] == slash ? root : current
      current = walk(target, source: next, from: base, isTrailing: isFinal, &progress, &recorder)
      if isFinal || current < 0 { return current }
    }
    return current
  }

  private static func isDots(_ name: Span<UInt8>, _ count: Int) -> Bool {
    name.count == count && name[0] == UInt8(ascii: ".") && name[count - 1] == UInt8(ascii: ".")
  }

  /// Checks that a node is a directory, which is required to continue the walk below it.
  ///
  /// Rule: <doc:PathRules#walk.notdir>.
  private func isDirectory<Recorder: DecisionRecorder>(
    _ index: Int32, _ progress: inout Progress, _ recorder: inout Recorder
  ) -> Bool {
    if nodes[Int(index)].type == .directory { return true }
    return finish(
      .search, index, .search, .denied(.walkNotDirectory, .notDirectory), &progress,
      &recorder)
  }

  /// Checks whether a name may be looked up in a directory.
  ///
  /// Rules: <doc:ModeRules>.
  private func maySearch<Recorder: DecisionRecorder>(
    _ index: Int32, _ progress: inout Progress, _ recorder: inout Recorder
  ) -> Bool {
    progress.stepDoubt = nil
    let finding = inodePermission(index, .search, &progress)
    return finish(.search, index, .search, finding, &progress, &recorder)
  }

  /// Records the result of a check, and returns `true` unless it is a denial.
  func finish<Recorder: DecisionRecorder>(
    _ kind: RecordedKind, _ index: Int32, _ wanted: Permissions, _ finding: Finding,
    _ progress: inout Progress, _ recorder: inout Recorder
  ) -> Bool {
    progress.finding = finding
    progress.node = index
    progress.wanted = wanted
    recorder.record(
      RecordedCheck(
        matter: .node(kind, index, wanted), finding: finding, doubt: progress.stepDoubt))
    return !finding.isDenied
  }

  /// Returns the node with the given name, or ends the walk and returns `nil`.
  ///
  /// Rules: <doc:PathRules#walk.noent>, <doc:PathRules#walk.name_too_long>.
  private func lookUp<Recorder: DecisionRecorder>(
    _ name: Span<UInt8>, _ reference: NameReference, in directory: Int32, isFinal: Bool,
    _ progress: inout Progress, _ recorder: inout Recorder
  ) -> Int32? {
    progress.stepDoubt = nil
    // A byte that is not part of valid UTF-8 takes four bytes in the text.
    let isTooLong = name.count > Self.nameMax && ByteText.byteCount(name) > Self.nameMax
    let index = isTooLong ? -1 : child(of: directory, named: name)
    if index >= 0 {
      guard nodes[Int(index)].marks.contains(.statusUnobserved) else { return index }
      // The node may be a link or a directory, so the walk cannot continue.
      progress.raise(.status, -1, at: index)
      progress.isStuck = true
      _ = finish(isFinal ? .final : .search, index, [], Finding(), &progress, &recorder)
      return nil
    }
    if isFinal && progress.creates && !isTooLong
      && !nodes[Int(directory)].marks.contains(.contentsUnobserved)
    {
      create(reference, in: directory, &progress, &recorder)
      return nil
    }
    var finding = Finding.denied(.walkNoEntry, .noSuchFile)
    if isTooLong {
      finding = .denied(.walkNameTooLong, .nameTooLong)
    } else if nodes[Int(directory)].marks.contains(.contentsUnobserved) {
      finding = Finding()
      progress.raise(.contents, -1, at: directory)
      progress.isStuck = true
    }
    progress.finding = finding
    progress.node = directory
    progress.name = reference
    progress.wanted = []
    recorder.record(
      RecordedCheck(
        matter: .name(reference, directory: directory, isFinal: isFinal), finding: finding,
        doubt: progress.stepDoubt))
    return nil
  }

  /// Checks whether a link may be followed, in the kernel's order (`pick_link`).
  ///
  /// Rules: <doc:PathRules#walk.too_many_links>, <doc:PathRules#symlink.protected>,
  /// <doc:PathRules#symlink.nosymfollow>.
  private func mayFollow<Recorder: DecisionRecorder>(
    _ index: Int32, in directory: Int32, isFinal: Bool, _ progress: inout Progress,
    _ recorder: inout Recorder
  ) -> Bool {
    progress.stepDoubt = nil
    progress.links += 1
    if progress.links > Self.maximumLinks {
      return finish(
        .followLink, index, [], .denied(.walkTooManyLinks, .tooManyLinks), &progress,
        &recorder)
    }
    let isProtectionUnknown = access.unobserved.contains(.protectedSymlinks)
    if isFinal && (access.protectedSymlinks || isProtectionUnknown) {
      let mayFollow = isProtectionSatisfied(index, in: directory, progress.credentials)
      switch mayFollow {
      case .yes: break
      case .no where isProtectionUnknown:
        progress.raise(.settings, .permissionDenied, at: index)
      case .no:
        return finish(
          .followLink, index, [], .denied(.symlinkProtected, .permissionDenied), &progress,
          &recorder)
      case .maybe:
        progress.raise(ownerDoubt(of: nodes[Int(index)]), .permissionDenied, at: index)
      }
    }
    let mount = mounts[Int(nodes[Int(index)].mount)]
    if mount.marks.contains(.nosymfollow) {
      return finish(
        .followLink, index, [], .denied(.symlinkNoSymfollow, .tooManyLinks), &progress,
        &recorder)
    }
    if mount.marks.contains(.flagsUnobserved) {
      progress.raise(.mountFlags, .tooManyLinks, at: index)
    }
    if nodes[Int(index)].marks.contains(.targetUnobserved) {
      progress.raise(.linkTarget, -1, at: index)
      progress.isStuck = true
      _ = finish(.followLink, index, [], Finding(), &progress, &recorder)
      return false
    }
    return finish(.followLink, index, [], Finding(), &progress, &recorder)
  }

  /// Returns whether `fs.protected_symlinks` allows a link to be followed.
  ///
  /// No capability overrides this. The kernel's function is `may_follow_link`.
  private func isProtectionSatisfied(
    _ link: Int32, in directory: Int32, _ credentials: Credentials
  ) -> Ternary {
    let (node, holder) = (nodes[Int(link)], nodes[Int(directory)])
    if holder.mode & 0o1002 != 0o1002 { return .yes }
    let isOwn = isUser(node.uid, credentials, isUnknown: node.marks.contains(.idsUnknown))
    return max(isOwn, isSameOwner(node, holder))
  }
}
