internal import Synchronization

// What other programs do to the file.
extension KeeperCore {
  /// Notices what other programs write, from now on and in the directory that is open now; on the
  /// queue.
  func startWatching() {
    guard state.withLock({ $0.connection?.arrive != nil && $0.writeBlock == nil && $0.canWatch })
    else {
      return
    }
    let (place, name) = file.withLock { ($0.kernelPath, $0.fileName) }
    guard let place, let name, watch.withLock({ $0?.directory }) != place else { return }
    do throws(KeepingError) {
      let new = try DirectoryWatch(place, name: name, for: path, queue: queue) { [weak self] in
        self?.checkFile()
      }
      let old = watch.withLock { watch in
        // The store may have ended meanwhile.
        guard state.withLock({ $0.connection != nil }) else { return new as DirectoryWatch? }
        defer { watch = new }
        return watch
      }
      old?.stop()
    } catch {
      state.withLock { $0.canWatch = false }
      report(error, then: "; what other programs save is seen only when this one saves")
    }
    // What came before the watch.
    checkFile()
  }

  /// Looks whether another program has written the file; on the queue.
  func checkFile() {
    guard state.withLock({ $0.connection != nil && $0.writeBlock == nil }) else { return }
    do throws(KeepingError) {
      let found = try file.withLock { (file) throws(KeepingError) in try file.readIfChanged() }
      guard let found, try resolve(found) == .write else { return }
    } catch { return report(error) }
    if saving.times != nil, state.withLock({ $0.mustWrite }) { _ = perform(.scheduled) }
  }

  /// Decides what becomes of a file that another program has written; on the queue.
  ///
  /// - Returns: What is left to be done.
  func resolve(_ found: FileSnapshot) throws(KeepingError) -> ConflictResolution {
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

  private func resolve(_ found: FileSnapshot, _ theirs: Value) throws(KeepingError)
    -> ConflictResolution
  {
    let (source, base) = state.withLock { ($0.source, $0.base) }
    guard let base else { return .keepFile }
    if theirs == base {
      accept(found, theirs)
      return .write
    }
    switch source {
    case .nothing:
      return .keepFile
    case .store(let store):
      guard let mine = store.value() else { return .waitForEnd }
      // The same value twice may be two changes, such as one coin each: the rule decides.
      if let arrive = store.arrive {
        guard arrive(KeptArrival(base: base, theirs: theirs)) else { return .waitForEnd }
        accept(found, theirs)
      } else if mine == theirs {
        accept(found, theirs)
      } else if mine == base {
        // Nothing is to be written; the file stays theirs.
        return .keepFile
      } else {
        try setAside(found, .replaced, because: "another program has saved, too")
      }
      return .write
    case .last(let mine):
      if mine == base {
        return .keepFile
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
  private func accept(_ found: FileSnapshot, _ theirs: Value) {
    file.withLock { $0.markKnown(found) }
    state.withLock { $0.base = theirs }
  }
}

/// What is left to be done about a file that another program has written.
enum ConflictResolution: Sendable {
  /// The value may be written, if it still has to be.
  case write
  /// Nothing: the value of this program has nothing that is not in the file.
  case keepFile
  /// The store is ending, and tells its last value in a moment.
  case waitForEnd
}
