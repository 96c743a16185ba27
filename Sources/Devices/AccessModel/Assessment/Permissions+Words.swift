extension Permissions {
  /// Returns the permissions as words, such as `read and write`.
  ///
  /// - Parameter isDirectory: Whether the third bit means `search` instead of `execute`.
  /// - Returns: The words; `nothing` if the set is empty.
  func words(isDirectory: Bool) -> String {
    var words: [String] = []
    if contains(.read) { words.append("read") }
    if contains(.write) { words.append("write") }
    if contains(.execute) { words.append(isDirectory ? "search" : "execute") }
    switch words.count {
    case 0: return "nothing"
    case 1: return words[0]
    case 2: return "\(words[0]) and \(words[1])"
    default: return "\(words[0]), \(words[1]) and \(words[2])"
    }
  }
}

extension Node {
  /// Returns the permissions of one class in the mode.
  ///
  /// - Parameter shift: 6 for the owner, 3 for the group, 0 for others.
  /// - Returns: The permissions.
  private func classBits(_ shift: UInt16) -> Permissions {
    Permissions(rawValue: UInt8((mode >> shift) & 7))
  }

  var ownerBits: Permissions { classBits(6) }
  var otherBits: Permissions { classBits(0) }

  /// The mask of the access control list; all permissions if there is no mask.
  var aclMask: Permissions {
    acl?.first { $0.tag == .mask }?.permissions ?? [.read, .write, .execute]
  }

  /// The permissions that the owning group actually has.
  ///
  /// If there is an access control list, the group bits of the mode are its mask, and the owning
  /// group has the permissions of its entry within that mask.
  var owningGroupPermissions: Permissions {
    guard let acl, classBits(3) != [] else { return classBits(3) }
    guard let entry = acl.first(where: { $0.tag == .group && $0.id == nil }) else { return [] }
    return entry.permissions.intersection(aclMask)
  }

  /// The mode as four octal digits, such as `0660`.
  var octalMode: String {
    let digits = String(mode, radix: 8)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
