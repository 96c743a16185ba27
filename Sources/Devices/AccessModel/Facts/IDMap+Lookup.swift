extension IDMap {
  /// Returns the outside ID for an inside ID; `nil` if no range covers it.
  ///
  /// The kernel's function is `map_id_down`.
  public func outside(_ inside: UInt32) -> UInt32? {
    for range in ranges where inside >= range.inside && inside - range.inside < range.length {
      let (id, overflow) = range.outside.addingReportingOverflow(inside - range.inside)
      return overflow || id == .max ? nil : id
    }
    return nil
  }

  /// Returns the inside ID for an outside ID; `nil` if no range covers it.
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
  /// Returns the user that an inode's owner appears as on this mount; `nil` if the ID is not
  /// mapped.
  ///
  /// The kernel's function is `make_vfsuid`.
  public func userSeen(_ id: UInt32) -> UInt32? {
    Self.seen(id, through: idmap?.users, of: filesystemNamespace?.users)
  }

  /// Returns the group that an inode's group appears as on this mount; `nil` if the ID is not
  /// mapped.
  ///
  /// The kernel's function is `make_vfsgid`.
  public func groupSeen(_ id: UInt32) -> UInt32? {
    Self.seen(id, through: idmap?.groups, of: filesystemNamespace?.groups)
  }

  /// Returns the owner that is stored for a file that a user creates on this mount.
  ///
  /// The kernel's functions are `mapped_fsuid` and `fsuidgid_has_mapping`.
  ///
  /// - Parameter id: The filesystem user ID of the thread that creates the file.
  /// - Returns: The owner; `nil` if the filesystem cannot store one for this user.
  public func userStored(_ id: UInt32) -> UInt32? {
    Self.stored(id, through: idmap?.users, of: filesystemNamespace?.users)
  }

  /// Returns the group that is stored for a file that a user creates on this mount.
  ///
  /// The kernel's functions are `mapped_fsgid` and `fsuidgid_has_mapping`.
  ///
  /// - Parameter id: The filesystem group ID of the thread that creates the file.
  /// - Returns: The group; `nil` if the filesystem cannot store one for this group ID.
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
