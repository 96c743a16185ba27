internal import Synchronization

// What other programs do to the file.
extension KeeperCore {
  /// Begins to notice what other programs write; on the queue.
  func startWatching() {
    guard state.withLock({ $0.link != nil }) else { return }
    do throws(KeepingError) {
      let (place, name) = file.withLock { ($0.kernelPath, $0.fileName) }
      guard let place, let name else { return }
      let new = try DirectoryWatch(place, name: name, for: path, queue: queue) { [weak self] in
        self?.look()
      }
      let isLate = watch.withLock { watch in
        guard state.withLock({ $0.link != nil }) else { return true }
        watch = new
        return false
      }
      if isLate { new.stop() }
    } catch {
      report(error, then: "; what other programs save is seen only when this one saves")
    }
    // What came before the watch.
    look()
  }

  /// Looks whether another program has written the file; on the queue.
  func look() {
    guard state.withLock({ $0.link != nil && $0.refusal == nil }) else { return }
    do throws(KeepingError) {
      let found = try file.withLock { (file) throws(KeepingError) in try file.look() }
      if let found { _ = try resolve(found) }
    } catch { report(error) }
  }

  /// Decides what becomes of a file that another program has written; on the queue.
  ///
  /// - Returns: What is left to be done.
  func resolve(_ found: FoundFile) throws(KeepingError) -> Resolution {
    switch format.read(found.content) {
    case .newer(let version):
      refuse(version)
      return .write
    case .unreadable(let reason):
      try setAside(found, .unreadable, because: reason)
      return .write
    case .value(let theirs, _):
      return try resolve(found, theirs)
    }
  }

  private func resolve(_ found: FoundFile, _ theirs: Value) throws(KeepingError) -> Resolution {
    let (subject, base) = state.withLock { ($0.subject, $0.base) }
    guard let base else { return .leave }
    if theirs == base {
      accept(found, theirs)
      return .write
    }
    switch subject {
    case .nothing:
      return .leave
    case .link(let link):
      guard let mine = link.value() else { return .wait }
      if mine == theirs {
        accept(found, theirs)
      } else if let arrive = link.arrive {
        guard arrive(KeptArrival(base: base, theirs: theirs)) else { return .wait }
        accept(found, theirs)
      } else if mine == base {
        // Nothing is to be written; the file stays theirs.
        return .leave
      } else {
        try setAside(found, .replaced, because: "another program has saved, too")
      }
      return .write
    case .last(let mine):
      if mine == theirs {
        accept(found, theirs)
      } else if mine == base {
        return .leave
      } else if let both = (mine as? any Mergeable)?.mergedAny(with: theirs, since: base) {
        accept(found, theirs)
        state.withLock { $0.phase = .ended(both) }
      } else {
        try setAside(found, .replaced, because: "another program has saved, too")
      }
      return .write
    }
  }

  /// From here on, theirs counts as what both started from.
  private func accept(_ found: FoundFile, _ theirs: Value) {
    file.withLock { $0.accept(found) }
    state.withLock { $0.base = theirs }
  }
}
