internal import AccessModel

extension ACLEntry {
  /// Parses the extended attribute `system.posix_acl_access` (`linux/posix_acl_xattr.h`).
  ///
  /// It does not use `acl_get_file`, because libacl sorts the entries. The kernel uses the stored
  /// order, which matters if an ID occurs twice.
  ///
  /// - Returns: The entries in the stored order, or `nil` if the format is unknown.
  static func list(parsing bytes: [UInt8]) -> [ACLEntry]? {
    guard bytes.count >= 4, (bytes.count - 4).isMultiple(of: 8),
      bytes[..<4].elementsEqual([2, 0, 0, 0])
    else { return nil }
    var entries: [ACLEntry] = []
    for start in stride(from: 4, to: bytes.count, by: 8) {
      let tag = UInt16(bytes[start]) | UInt16(bytes[start + 1]) << 8
      let permissions = Permissions(rawValue: bytes[start + 2] & 7)
      let id = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[start + 4 + $1]) << UInt32(8 * $1) }
      switch tag {
      case 0x01: entries.append(ACLEntry(.user, nil, permissions))
      case 0x02: entries.append(ACLEntry(.user, id, permissions))
      case 0x04: entries.append(ACLEntry(.group, nil, permissions))
      case 0x08: entries.append(ACLEntry(.group, id, permissions))
      case 0x10: entries.append(ACLEntry(.mask, nil, permissions))
      case 0x20: entries.append(ACLEntry(.other, nil, permissions))
      default: return nil
      }
    }
    return entries
  }
}
