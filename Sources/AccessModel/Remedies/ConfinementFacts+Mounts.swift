extension ConfinementFacts {
  /// The service whose settings make a mount read-only; `nil` if no setting is known to, or if it is
  /// read-only outside as well.
  func unitThatProtects(_ mount: Mount) -> String? {
    guard mount.readOnly, !mount.superblockReadOnly, let unit = serviceUnit,
      service?.protected?.first(where: { $0.at.isSame(as: mount.at) })?.isReadOnlyOutside == false
    else { return nil }
    return unit
  }

  /// Whether a mount is read-only for the service alone, so that whoever administers the machine can change
  /// what is on it as it is.
  ///
  /// Of a service that runs, only its own mounts are known. A flag that its settings can have set is taken
  /// for theirs: to mount the machine's filesystem again, and read-only afterwards, would take it away from
  /// everybody.
  func isReadOnlyInService(_ mount: Mount) -> Bool {
    guard serviceUnit != nil, mount.readOnly, !mount.superblockReadOnly else { return false }
    guard let protections = service?.knownProtections else {
      return container == nil && service?.isRunning != false
    }
    return protections.first { $0.at.isSame(as: mount.at) }?.isReadOnlyOutside == false
  }
}
