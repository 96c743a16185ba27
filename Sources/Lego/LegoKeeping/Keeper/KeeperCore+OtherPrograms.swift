internal import Synchronization

// Changes to the file by other programs.
extension KeeperCore {
  /// Starts watching the open directory for changes by other programs.
  ///
  /// Call this method on the queue.
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
        // The store may have ended in the meantime.
        guard state.withLock({ $0.connection != nil }) else { return new as DirectoryWatch? }
        defer { watch = new }
        return watch
      }
      old?.stop()
    } catch {
      state.withLock { $0.canWatch = false }
      report(error, then: "; changes by other programs are detected only when this program saves")
    }
    // The file may have changed before the watch started.
    checkFile()
  }

  /// If another program has written the file, resolves the conflict with this program's value.
  ///
  /// Call this method on the queue.
  func checkFile() {
    guard state.withLock({ $0.connection != nil && $0.writeBlock == nil }) else { return }
    do throws(KeepingError) {
      let found = try file.withLock { (file) throws(KeepingError) in try file.readIfChanged() }
      guard let found, try resolve(found) == .write else { return }
    } catch { return report(error) }
    if saving.times != nil, state.withLock({ $0.mustWrite }) { _ = perform(.scheduled) }
  }

  /// Resolves the conflict between this program's value and a file that another program has
  /// written.
  ///
  /// Call this method on the queue.
  ///
  /// - Returns: The next step.
  func resolve(_ found: FileSnapshot) throws(KeepingError) -> ConflictResolution {
    switch format.read(found.content) {
    case .newer(let version):
      refuse(version)
      return .write
    case .unreadable(let reason):
      try setAside(found, .unreadable, because: reason)
      // No file contains this program's value now, so it must be written even if it does not
      // change again.
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
      // Equal values may still have to be merged, for example if both programs have added one coin,
      // so the blueprint decides.
      if let arrive = store.arrive {
        guard arrive(KeptArrival(base: base, theirs: theirs)) else { return .waitForEnd }
        accept(found, theirs)
      } else if mine == theirs {
        accept(found, theirs)
      } else if mine == base {
        // This program has nothing to write, so the other program's file remains.
        return .keepFile
      } else {
        try setAside(found, .replaced, because: "another program has also saved")
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
        try setAside(found, .replaced, because: "another program has also saved")
      }
      return .write
    }
  }

  /// Makes the other program's value the common base.
  private func accept(_ found: FileSnapshot, _ theirs: Value) {
    file.withLock { $0.markKnown(found) }
    state.withLock { $0.base = theirs }
  }
}

/// The next step after another program has written the file.
enum ConflictResolution: Sendable {
  /// Write the value, if that is still necessary.
  case write
  /// Keep the file, because this program has no changes of its own.
  case keepFile
  /// Wait for the store to end, because it is about to supply its last value.
  case waitForEnd
}
