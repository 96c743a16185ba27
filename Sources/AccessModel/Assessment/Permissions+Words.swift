extension Permissions {
  /// Such as `read and write`; the third bit is `search` on a directory.
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
  /// The bits of one class of the mode: the owner's at shift 6, the group's at 3, others' at 0.
  private func classBits(_ shift: UInt16) -> Permissions {
    Permissions(rawValue: UInt8((mode >> shift) & 7))
  }

  var ownerBits: Permissions { classBits(6) }
  var otherBits: Permissions { classBits(0) }

  /// The mask of the list; everything when it has none.
  var aclMask: Permissions {
    acl?.first { $0.tag == .mask }?.permissions ?? [.read, .write, .execute]
  }

  /// What the owning group really gets: with a list the group bits of the mode are its mask, and
  /// the entry of the owning group counts.
  var owningGroupPermissions: Permissions {
    guard let acl, classBits(3) != [] else { return classBits(3) }
    guard let entry = acl.first(where: { $0.tag == .group && $0.id == nil }) else { return [] }
    return entry.permissions.intersection(aclMask)
  }

  /// Such as `0660`.
  var octalMode: String {
    let digits = String(mode, radix: 8)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
