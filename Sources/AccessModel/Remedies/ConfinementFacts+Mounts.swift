extension ConfinementFacts {
  /// Returns the service whose settings make a mount read-only.
  ///
  /// It is `nil` if no setting is known to do so, or if the mount is also read-only outside.
  func unitThatProtects(_ mount: Mount) -> String? {
    guard mount.readOnly, !mount.superblockReadOnly, let unit = serviceUnit,
      service?.protected?.first(where: { $0.at.isSame(as: mount.at) })?.isReadOnlyOutside == false
    else { return nil }
    return unit
  }

  /// Returns whether a mount is read-only only for the service.
  ///
  /// An administrator can then change the files on it without a remount. For a running service,
  /// only its own mounts are known. If its settings may have set the flag, the flag is attributed
  /// to them. Otherwise a fix could remount the machine's filesystem, and then make it read-only
  /// for all processes.
  func isReadOnlyInService(_ mount: Mount) -> Bool {
    guard serviceUnit != nil, mount.readOnly, !mount.superblockReadOnly else { return false }
    guard let protections = service?.knownProtections else {
      return container == nil && service?.isRunning != false
    }
    return protections.first { $0.at.isSame(as: mount.at) }?.isReadOnlyOutside == false
  }
}
