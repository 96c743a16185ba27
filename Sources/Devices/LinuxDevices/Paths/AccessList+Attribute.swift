internal import AccessModel

extension AccessList {
  /// The list in the format of the extended attribute `system.posix_acl_access`.
  var attribute: [UInt8] {
    entries.reduce(into: [2, 0, 0, 0]) { bytes, entry in
      let tag: UInt16 =
        switch (entry.tag, entry.id) {
        case (.user, nil): 0x01
        case (.user, _): 0x02
        case (.group, nil): 0x04
        case (.group, _): 0x08
        case (.mask, _): 0x10
        case (.other, _): 0x20
        }
      let id = entry.id ?? .max
      bytes += [UInt8(truncatingIfNeeded: tag), UInt8(truncatingIfNeeded: tag >> 8)]
      bytes += [entry.permissions.rawValue, 0]
      bytes += (0..<4).map { UInt8(truncatingIfNeeded: id >> UInt32(8 * $0)) }
    }
  }
}
