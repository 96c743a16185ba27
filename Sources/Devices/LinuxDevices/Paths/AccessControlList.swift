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
