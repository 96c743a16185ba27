internal import AccessModel
internal import CACL
internal import Glibc

/// An access control list that libacl manages.
///
/// The C type is `acl_t`. libacl sorts the entries, so decisions use ``ACLEntry/list(parsing:)``.
/// This type is the fallback if the attribute's format is unknown.
@safe struct AccessControlList: ~Copyable {
  private let raw: acl_t

  /// Reads the access control list of a path, following a symbolic link (acl_get_file(3)).
  init(path: String) throws(Errno) {
    guard let raw = unsafe acl_get_file(ByteText(path).cString, acl_type_t(ACL_TYPE_ACCESS))
    else { throw .current }
    unsafe self.raw = raw
  }

  deinit { unsafe acl_free(UnsafeMutableRawPointer(raw)) }

  /// The entries in libacl's order.
  borrowing func entries() throws(Errno) -> [ACLEntry] {
    var entries: [ACLEntry] = []
    var entry: acl_entry_t?
    var which = ACL_FIRST_ENTRY
    while try Errno.check(unsafe acl_get_entry(raw, which, &entry)) == 1 {
      which = ACL_NEXT_ENTRY
      var tag: acl_tag_t = 0
      try Errno.check(unsafe acl_get_tag_type(entry, &tag))
      var set: acl_permset_t?
      try Errno.check(unsafe acl_get_permset(entry, &set))
      var permissions: Permissions = []
      if unsafe acl_get_perm(set, acl_perm_t(ACL_READ)) == 1 { permissions.insert(.read) }
      if unsafe acl_get_perm(set, acl_perm_t(ACL_WRITE)) == 1 { permissions.insert(.write) }
      if unsafe acl_get_perm(set, acl_perm_t(ACL_EXECUTE)) == 1 { permissions.insert(.execute) }
      guard let made = try unsafe Self.entry(entry, tag, permissions) else { continue }
      entries.append(made)
    }
    return entries
  }

  private static func entry(
    _ entry: acl_entry_t?, _ tag: acl_tag_t, _ permissions: Permissions
  ) throws(Errno) -> ACLEntry? {
    switch tag {
    case acl_tag_t(ACL_USER_OBJ): return ACLEntry(.user, nil, permissions)
    case acl_tag_t(ACL_GROUP_OBJ): return ACLEntry(.group, nil, permissions)
    case acl_tag_t(ACL_MASK): return ACLEntry(.mask, nil, permissions)
    case acl_tag_t(ACL_OTHER): return ACLEntry(.other, nil, permissions)
    case acl_tag_t(ACL_USER), acl_tag_t(ACL_GROUP):
      guard let qualifier = unsafe acl_get_qualifier(entry) else { throw .current }
      defer { unsafe acl_free(qualifier) }
      let id = unsafe qualifier.load(as: UInt32.self)
      return ACLEntry(tag == acl_tag_t(ACL_USER) ? .user : .group, id, permissions)
    default: return nil
    }
  }
}

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
