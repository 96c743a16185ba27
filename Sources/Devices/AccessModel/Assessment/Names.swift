/// The names of users and groups in sentences and in commands.
///
/// A sentence contains the name and the number, because in a container the number decides. A
/// command contains the name if it needs no quoting, and the number otherwise.
struct Names: Sendable {
  private let users: [UInt32: String]
  private let groups: [UInt32: String]
  /// The map of the subject's user namespace; `nil` if its numbers are those of the machine.
  private let map: IDMapping?
  /// A Boolean value that indicates whether the overflow ID represents the IDs that the subject's
  /// user namespace does not map.
  private let isInNamespace: Bool

  init(_ account: AccountFacts, subject: Subject, map: IDMapping? = nil) {
    self.map = map
    isInNamespace = subject.userNamespace != nil
    var users = account.userNames
    if let user = account.user, users[subject.ruid] == nil { users[subject.ruid] = user }
    self.users = users
    groups = account.groupNames
  }

  /// Returns the number of a user as it appears on the subject's system.
  func number(ofUser id: UInt32) -> UInt32 { map.map { $0.users.inside(id) ?? id } ?? id }

  /// Returns the number of a group as it appears on the subject's system.
  func number(ofGroup id: UInt32) -> UInt32 { map.map { $0.groups.inside(id) ?? id } ?? id }

  /// Returns the text for a user in sentences, such as `alice (1000)`, or `user 1000` without a
  /// name.
  func user(_ id: UInt32) -> String {
    let number = number(ofUser: id)
    if isInNamespace, id == Subject.overflowID { return "an unmapped user (\(id))" }
    guard let name = users[id], name != String(id) else { return "user \(number)" }
    return "\(name) (\(number))"
  }

  /// Returns the text for a group in sentences, such as `group video (44)`, or `group 44` without a
  /// name.
  func group(_ id: UInt32) -> String {
    if isInNamespace, id == Subject.overflowID { return "an unmapped group (\(id))" }
    return "group \(groupWithNumber(id))"
  }

  /// Returns the name and the number of a mapped group, without the word *group*.
  func groupWithNumber(_ id: UInt32) -> String {
    let number = number(ofGroup: id)
    return groups[id].map { "\($0) (\(number))" } ?? String(number)
  }

  func groupName(_ id: UInt32) -> String? { groups[id] }

  /// Returns the number of a group with the given name; `nil` if the facts do not contain it.
  func groupID(_ name: String) -> UInt32? { groups.first { $0.value == name }?.key }

  func userWord(_ id: UInt32) -> String { Self.word(users[id], id) }

  func groupWord(_ id: UInt32) -> String { Self.word(groups[id], id) }

  /// Returns whether a command can use the user's name.
  func hasPlainName(user id: UInt32) -> Bool { users[id].map(Self.isPlain) ?? false }

  /// Returns whether a command can use the group's name.
  func hasPlainName(group id: UInt32) -> Bool { groups[id].map(Self.isPlain) ?? false }

  private static func word(_ name: String?, _ id: UInt32) -> String {
    guard let name, isPlain(name) else { return String(id) }
    return name
  }

  /// Returns whether useradd(8) would accept a name.
  ///
  /// A name has at most 32 letters, digits, `_`, `-` and `.`, and starts with a letter or `_`.
  /// Other text could be interpreted as an option, a list or a number.
  private static func isPlain(_ name: String) -> Bool {
    guard let first = name.utf8.first, name.utf8.count <= 32 else { return false }
    let isLetter = { (byte: UInt8) in (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7A }
    return (isLetter(first) || first == UInt8(ascii: "_"))
      && name.utf8.allSatisfy { byte in
        isLetter(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "_")
          || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
      }
  }
}

extension Assessment {
  /// The names of users and groups, as used in sentences about this assessment.
  var names: Names {
    let map = facts.hasForeignNumbers ? subject.userNamespace : nil
    return Names(facts.account, subject: subject, map: map)
  }
}

extension Permissions {
  /// Returns the permissions as words, such as `read and write`.
  ///
  /// - Parameters:
  ///   - isDirectory: Whether the third bit means `search` instead of `execute`.
  ///   - last: The word before the last permission.
  /// - Returns: The words; `nothing` if the set is empty.
  func words(isDirectory: Bool, with last: String = "and") -> String {
    var words: [String] = []
    if contains(.read) { words.append("read") }
    if contains(.write) { words.append("write") }
    if contains(.execute) { words.append(isDirectory ? "search" : "execute") }
    return words.isEmpty ? "nothing" : words.listed(with: last)
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
}

extension BidirectionalCollection<String> {
  /// Returns the words as one phrase, such as `read, write and execute`.
  ///
  /// - Parameter conjunction: The word before the last element: `and` or `or`.
  /// - Returns: The phrase; empty without a word.
  package func listed(with conjunction: String = "and") -> String {
    guard count > 1, let last else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " \(conjunction) " + last
  }
}
