internal import AccessModel

/// A filesystem object on the path as JSON.
struct NodeOutput: Encodable {
  /// An entry of an access control list.
  struct Entry: Encodable {
    let tag: String
    let id: UInt32?
    let permissions: String
    /// The permissions that the mask leaves; without a mask, the same as `permissions`.
    let effective: String
  }

  let type: FileType
  /// At least four octal digits, as `chmod` accepts them.
  let mode: String
  let uid: UInt32
  let gid: UInt32
  let acl: [Entry]?
  let device: DeviceNumber?
  let target: String?
  let flags: [String]
  let unobserved: [String]

  init(_ node: Node) {
    type = node.type
    let octal = String(node.mode, radix: 8)
    mode = String(repeating: "0", count: max(0, 4 - octal.count)) + octal
    uid = node.uid
    gid = node.gid
    let mask = node.acl?.first { $0.tag == .mask }?.permissions
    acl = node.acl?.map { entry in
      let isMasked = mask != nil && entry.isMasked
      let effective = isMasked ? entry.permissions.intersection(mask ?? []) : entry.permissions
      return Entry(
        tag: entry.tag.rawValue, id: entry.id, permissions: entry.permissions.description,
        effective: effective.description)
    }
    device = node.rdev
    target = node.target
    flags = node.flags.map(\.rawValue).sorted()
    unobserved = node.unobserved.map(\.rawValue).sorted()
  }
}
