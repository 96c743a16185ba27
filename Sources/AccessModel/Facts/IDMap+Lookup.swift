extension IDMap {
  /// The identifier outside that stands for one inside, or `nil` when no range covers it.
  ///
  /// The kernel's function is `map_id_down`.
  public func outside(_ inside: UInt32) -> UInt32? {
    for range in ranges where inside >= range.inside && inside - range.inside < range.length {
      let (id, overflow) = range.outside.addingReportingOverflow(inside - range.inside)
      return overflow || id == .max ? nil : id
    }
    return nil
  }

  /// The identifier inside that stands for one outside, or `nil` when no range covers it.
  ///
  /// The kernel's function is `map_id_up`.
  public func inside(_ outside: UInt32) -> UInt32? {
    for range in ranges where outside >= range.outside && outside - range.outside < range.length {
      let (id, overflow) = range.inside.addingReportingOverflow(outside - range.outside)
      return overflow || id == .max ? nil : id
    }
    return nil
  }
}

extension Mount {
  /// The user that an inode's owner counts as through this mount; `nil` when unmapped.
  ///
  /// The kernel's function is `make_vfsuid`.
  public func userSeen(_ id: UInt32) -> UInt32? {
    Self.seen(id, through: idmap?.users, of: filesystemNamespace?.users)
  }

  /// The group that an inode's group counts as through this mount; `nil` when unmapped.
  ///
  /// The kernel's function is `make_vfsgid`.
  public func groupSeen(_ id: UInt32) -> UInt32? {
    Self.seen(id, through: idmap?.groups, of: filesystemNamespace?.groups)
  }

  /// The owner that a file gets which this user creates through this mount; `nil` when the
  /// filesystem cannot hold one.
  ///
  /// The kernel's functions are `mapped_fsuid` and `fsuidgid_has_mapping`.
  public func userStored(_ id: UInt32) -> UInt32? {
    Self.stored(id, through: idmap?.users, of: filesystemNamespace?.users)
  }

  /// The group that a file gets which this group creates through this mount; `nil` when the
  /// filesystem cannot hold one.
  ///
  /// The kernel's functions are `mapped_fsgid` and `fsuidgid_has_mapping`.
  public func groupStored(_ id: UInt32) -> UInt32? {
    Self.stored(id, through: idmap?.groups, of: filesystemNamespace?.groups)
  }

  private static func stored(
    _ id: UInt32, through map: IDMap?, of filesystem: IDMap?
  ) -> UInt32? {
    if id == .max { return nil }
    guard let map else { return filesystem.map { $0.inside(id) != nil } ?? true ? id : nil }
    guard let inside = map.inside(id) else { return nil }
    guard let filesystem else { return inside }
    return filesystem.outside(inside)
  }

  private static func seen(_ id: UInt32, through map: IDMap?, of filesystem: IDMap?) -> UInt32? {
    guard let map else { return id == .max ? nil : id }
    guard let filesystem else { return map.outside(id) }
    return filesystem.inside(id).flatMap { map.outside($0) }
  }
}
