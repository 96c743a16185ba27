import AccessModel

/// Creates cases of a given size.
enum Fixture {
  /// Returns a case with a camera whose ACL has the given number of entries.
  ///
  /// No entry names the subject or one of its groups.
  static func camera(groups: Int, entries: Int) -> AccessCase {
    var value = base()
    value.subject.groups = (0..<groups).map { UInt32(100_000 + $0) }
    var node = Node(path: "/dev/video0", type: .characterDevice, mode: 0o660, uid: 0, gid: 44)
    node.rdev = DeviceNumber(major: 81, minor: 0)
    node.acl = list(entries)
    value.nodes.append(node)
    return value
  }

  /// Returns a case with a file at the given depth below the root directory.
  static func deep(_ depth: Int) -> AccessCase {
    var value = base()
    var path = ""
    for level in 1..<depth {
      path += "/d\(level)"
      value.nodes.append(Node(path: path, type: .directory, mode: 0o755, uid: 0, gid: 0))
    }
    path += "/file"
    var node = Node(path: path, type: .regular, mode: 0o664, uid: 0, gid: 44)
    node.acl = list(6)
    value.nodes.append(node)
    value.request = .open(path: path, flags: [.readOnly])
    return value
  }

  static func links(_ count: Int) -> AccessCase {
    var value = base()
    for index in 0..<count {
      var link = Node(path: "/l\(index)", type: .symbolicLink, mode: 0o777, uid: 0, gid: 0)
      link.target = index + 1 < count ? "l\(index + 1)" : "dev"
      value.nodes.append(link)
    }
    value.request = .open(path: "/l0", flags: [.readOnly])
    return value
  }

  static func wide(_ count: Int) -> AccessCase {
    var value = base()
    for index in 0..<count {
      var node = Node(
        path: "/dev/video\(index)", type: .characterDevice, mode: 0o660, uid: 0, gid: 44)
      node.rdev = DeviceNumber(major: 81, minor: UInt32(index))
      node.acl = list(6)
      value.nodes.append(node)
    }
    value.request = .open(path: "/dev/video\(count / 2)", flags: [.readWrite])
    return value
  }

  private static func base() -> AccessCase {
    AccessCase(
      protectedSymlinks: true,
      mounts: [Mount(at: "/", fstype: "ext4"), Mount(at: "/dev", fstype: "devtmpfs")],
      nodes: [
        Node(path: "/", type: .directory, mode: 0o755, uid: 0, gid: 0),
        Node(path: "/dev", type: .directory, mode: 0o755, uid: 0, gid: 0),
      ],
      subject: Subject(uid: 1000, gid: 1000),
      request: .open(path: "/dev/video0", flags: [.readWrite]))
  }

  private static func list(_ count: Int) -> [ACLEntry] {
    var list: [ACLEntry] = [ACLEntry(.user, nil, [.read, .write])]
    let named = count - 4
    for index in 0..<named / 2 {
      list.append(ACLEntry(.user, UInt32(2000 + index), [.read, .write]))
    }
    list.append(ACLEntry(.group, nil, [.read, .write]))
    for index in 0..<(named - named / 2) {
      list.append(ACLEntry(.group, UInt32(3000 + index), [.read, .write]))
    }
    list.append(ACLEntry(.mask, nil, [.read, .write]))
    list.append(ACLEntry(.other, nil, []))
    return list
  }
}
