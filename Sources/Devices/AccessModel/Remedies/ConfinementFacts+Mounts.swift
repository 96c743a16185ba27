extension ConfinementFacts {
  /// Returns the service whose settings make a mount read-only.
  ///
  /// - Returns: The service; `nil` if no setting is known to make it read-only, or if the mount is
  ///   also read-only outside the service.
  func unitThatProtects(_ mount: Mount) -> String? {
    guard mount.readOnly, !mount.superblockReadOnly, let unit = serviceUnit,
      service?.protected?.first(where: { $0.at.isSame(as: mount.at) })?.isReadOnlyOutside == false
    else { return nil }
    return unit
  }

  /// Returns whether a mount is read-only only in the service.
  ///
  /// An administrator can change files on such a mount without remounting it. Only the service's
  /// own mounts are known for a running service, so a read-only flag that its settings may have set
  /// is attributed to them. Otherwise a fix could remount the machine's filesystem, and then leave
  /// it read-only for all processes.
  func isReadOnlyInService(_ mount: Mount) -> Bool {
    guard serviceUnit != nil, mount.readOnly, !mount.superblockReadOnly else { return false }
    guard let protections = service?.knownProtections else {
      return container == nil && service?.isRunning != false
    }
    return protections.first { $0.at.isSame(as: mount.at) }?.isReadOnlyOutside == false
  }
}
