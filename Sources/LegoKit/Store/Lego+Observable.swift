public import Observation

// Reading `design` inside `Observations` or `withObservationTracking` is tracked.
extension Lego: Observable {}

extension Lego {
  /// The design by the key path that `Observation` knows it by.
  subscript(witness: TrackingWitness) -> B.Design { design }

  /// Tells `Observation` that the design is read.
  @usableFromInline func noteAccess() {
    let before = tracker.witness.count
    registrar.access(self, keyPath: trackedKeyPath)
    if tracker.witness.count != before {
      tracker.noteRead()
    } else if !TrackingWitness.isKnownToBeHashed {
      tracker.noteUncertainRead()
    }
  }

  /// Tells those who track the design that it has changed.
  @usableFromInline func notifyTrackers() {
    if let wait = tracker.noteChange() { notifyTrackersAgain(after: wait) }
    registrar.withMutation(of: self, keyPath: trackedKeyPath) {}
  }

  private func notifyTrackersAgain(after wait: Duration) {
    Task.detached { [weak self, tracker] in
      var wait: Duration? = wait
      while let duration = wait {
        guard (try? await ContinuousClock().sleep(for: duration)) != nil else { return }
        wait = tracker.remaining()
      }
      guard let self else { return }
      self.registrar.withMutation(of: self, keyPath: self.trackedKeyPath) {}
    }
  }
}
