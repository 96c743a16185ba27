import AccessModel
import CaseGenerator
import Testing

/// A hand-picked situation with the kernel's known answer.
struct KernelScene: Sendable, CustomTestStringConvertible {
  var name: String
  var access: AccessCase
  /// The kernel's error; 0 if access is granted.
  var errno: Errno

  var testDescription: String { name }

  init(_ name: String, _ access: AccessCase, _ errno: Errno) {
    self.name = name
    self.access = access
    self.errno = errno
  }

  /// A character device in a directory that everyone may search: `/dev/video0`.
  static func device(
    mode: UInt16, owner: (UInt32, UInt32), acl: [ACLEntry]? = nil, subject: Subject,
    flags: Set<OpenFlag> = [.readWrite, .nonBlocking], mount: Mount? = nil
  ) -> AccessCase {
    var node = Node(
      path: "/dev/video0", type: .characterDevice, mode: mode, uid: owner.0, gid: owner.1)
    node.acl = acl
    // The null device represents a camera whose driver allows every open.
    node.rdev = DeviceNumber(major: 1, minor: 3)
    var devices = Mount(at: "/dev", fstype: "tmpfs")
    if let mount { devices = mount }
    devices.at = "/dev"
    return AccessCase(
      protectedSymlinks: true, mounts: [Mount(at: "/", fstype: "tmpfs"), devices],
      nodes: [
        Node(path: "/", type: .directory, mode: 0o755, uid: 0, gid: 0),
        Node(path: "/dev", type: .directory, mode: 0o755, uid: 0, gid: 0), node,
      ],
      subject: subject, request: .open(path: "/dev/video0", flags: flags))
  }

  /// A link of one user in a world-writable directory, followed by another user.
  static var stickyLink: AccessCase {
    var scene = device(mode: 0o666, owner: (0, 44), subject: Subject(uid: 1000, gid: 1000))
    var link = Node(path: "/tmp/cam", type: .symbolicLink, mode: 0o777, uid: 1001, gid: 1001)
    link.target = "/dev/video0"
    scene.nodes.append(Node(path: "/tmp", type: .directory, mode: 0o1777, uid: 0, gid: 0))
    scene.nodes.append(link)
    scene.request = .open(path: "/tmp/cam", flags: [.readOnly])
    return scene
  }
}

extension AccessCase {
  /// Returns a changed copy of the case.
  func with(_ change: (inout AccessCase) -> Void) -> AccessCase {
    var copy = self
    change(&copy)
    return copy
  }
}

extension Subject {
  /// Returns a copy of the subject with effective capabilities.
  func with(_ capabilities: CapabilitySet) -> Subject {
    var copy = self
    copy.permitted = capabilities
    copy.effective = capabilities
    return copy
  }
}
