internal import Synchronization

// What other programs do to the file.
extension KeeperCore {
  /// Notices what other programs write, from now on and in the directory that is open now; on the
  /// queue.
  func keepWatching() {
    guard state.withLock({ $0.link?.arrive != nil && $0.refusal == nil && $0.canWatch }) else {
      return
    }
    let (place, name) = file.withLock { ($0.kernelPath, $0.fileName) }
    guard let place, let name, watch.withLock({ $0?.directory }) != place else { return }
    do throws(KeepingError) {
      let new = try DirectoryWatch(place, name: name, for: path, queue: queue) { [weak self] in
        self?.look()
      }
      let old = watch.withLock { watch in
        // The store may have ended meanwhile.
        guard state.withLock({ $0.link != nil }) else { return new as DirectoryWatch? }
        defer { watch = new }
        return watch
      }
      old?.stop()
    } catch {
      state.withLock { $0.canWatch = false }
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
      guard let found, try resolve(found) == .write else { return }
    } catch { return report(error) }
    if saving.times != nil, state.withLock({ $0.mustWrite }) { _ = perform(.due) }
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
      // What this program has saved is not in any file now, whether it changes again or not.
      state.withLock { $0.mustWrite = true }
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
      // The same value twice may be two changes, such as one coin each: the rule decides.
      if let arrive = link.arrive {
        guard arrive(KeptArrival(base: base, theirs: theirs)) else { return .wait }
        accept(found, theirs)
      } else if mine == theirs {
        accept(found, theirs)
      } else if mine == base {
        // Nothing is to be written; the file stays theirs.
        return .leave
      } else {
        try setAside(found, .replaced, because: "another program has saved, too")
      }
      return .write
    case .last(let mine):
      if mine == base {
        return .leave
      } else if let both = (mine as? any Mergeable)?.mergedAny(with: theirs, since: base) {
        accept(found, theirs)
        state.withLock { $0.phase = .ended(both) }
      } else if mine == theirs {
        accept(found, theirs)
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

/// What is left to be done about a file that another program has written.
enum Resolution: Sendable {
  /// The value may be written, if it still has to be.
  case write
  /// Nothing: the value of this program has nothing that is not in the file.
  case leave
  /// The store is ending, and tells its last value in a moment.
  case wait
}
