import AccessModel
import CACL
import Glibc
import LinuxTestSupport
import Testing

@testable import LinuxDevices

/// Compares the facts that the kernel stores with the observed ones, on a tmpfs.
@Suite struct KernelFactsTests {
  func node(_ path: String) throws -> Node {
    var observer = PathObserver(translator: IDTranslator(namespace: nil))
    PathWalk.walk(path, with: &observer)
    return try #require(observer.sighting(path)?.node)
  }

  @Test func `an access control list is read with its mask`() throws {
    let root = try TemporaryDirectory()
    let file = try root.file("video0", mode: 0o600)
    let text = "u::rw-,u:4242:rw-,g::---,g:44:r--,m::r--,o::---"
    let list = unsafe acl_from_text(text)
    defer { unsafe acl_free(UnsafeMutableRawPointer(list)) }
    try SystemError.check(
      unsafe acl_set_file(file, acl_type_t(ACL_TYPE_ACCESS), list), "acl_set_file")

    let node = try node(file)
    let expected = [
      ACLEntry(.user, nil, [.read, .write]), ACLEntry(.user, 4242, [.read, .write]),
      ACLEntry(.group, nil, []), ACLEntry(.group, 44, .read), ACLEntry(.mask, nil, .read),
      ACLEntry(.other, nil, []),
    ]
    #expect(node.acl == expected)
    // The group bits of the mode are the mask.
    #expect(node.mode == 0o640)
    #expect(try AccessControlList(path: file).entries() == expected)
  }

  @Test func `a file without a list has none`() throws {
    let root = try TemporaryDirectory()
    let node = try node(try root.file("plain", mode: 0o1640))
    #expect(node.acl == nil)
    #expect(node.unobserved.isEmpty)
    #expect(node.mode == 0o1640)
    #expect(throws: Errno.noSuchFile) {
      _ = try AccessControlList(path: "\(root.path)/missing").entries()
    }
  }

  @Test(.requiresPrivateMounts) func `mount flags are those of the mount that is crossed`() async {
    await #expect(processExitsWith: .success) {
      try PrivateMachine.separateMounts()
      try PrivateMachine.mountTemporary(at: "/mnt")
      try SystemError.check(unsafe mkdir("/mnt/a b", 0o755), "mkdir")
      try PrivateMachine.mountTemporary(at: "/mnt/a b", flags: PrivateMachine.nodev)
      // If two mounts are at the same path, the upper one counts.
      try PrivateMachine.mountTemporary(at: "/mnt/a b")
      try PrivateMachine.makeDevice("/mnt/a b/null", major: 1, minor: 3, mode: 0o640)
      try PrivateMachine.change("/mnt/a b", flags: PrivateMachine.readOnly)

      let facts = try LinuxMachine().facts(for: Question(.path("/mnt/a b/null")))
      #expect(facts.access.mounts.map(\.at) == ["/", "/mnt", "/mnt/a b"])
      let mount = try #require(facts.access.mounts.last)
      #expect(mount.readOnly && !mount.superblockReadOnly && !mount.nodev)
      #expect(mount.fstype == "tmpfs")
      let node = try #require(facts.access.nodes.last)
      #expect(node.rdev == DeviceNumber(major: 1, minor: 3))
      #expect(node.mode == 0o640)

      try PrivateMachine.change("/mnt/a b", flags: PrivateMachine.nodev)
      let again = try LinuxMachine().facts(for: Question(.path("/mnt/a b/null")))
      #expect(again.access.mounts.last?.nodev == true)
      #expect(again.access.mounts.last?.readOnly == false)
    }
  }

  @Test(.requiresPrivateMounts)
  func `a device that is mounted over a file is on a mount of its own`() async {
    await #expect(processExitsWith: .success) {
      try PrivateMachine.separateMounts()
      try PrivateMachine.mountTemporary(at: "/mnt")
      close(unsafe open("/mnt/node", O_CREAT | O_WRONLY, 0o600))
      try PrivateMachine.bind("/dev/null", to: "/mnt/node")
      let facts = try LinuxMachine().facts(for: Question(.path("/mnt/node")))
      #expect(facts.access.mounts.map(\.at) == ["/", "/mnt", "/mnt/node"])
      #expect(facts.access.nodes.last?.type == .characterDevice)
    }
  }

  @Test(.requiresPrivateMounts)
  func `what lies in a directory that may not be searched is unknown`() async {
    await #expect(processExitsWith: .success) {
      try PrivateMachine.separateMounts()
      try PrivateMachine.mountTemporary(at: "/mnt")
      try SystemError.check(unsafe mkdir("/mnt/closed", 0o700), "mkdir")
      try PrivateMachine.makeDevice("/mnt/closed/null", major: 1, minor: 3, mode: 0o666)
      try PrivateMachine.become(user: 4242, group: 4242, groups: [44])
      let facts = try LinuxMachine().facts(for: Question(.path("/mnt/closed/null")))
      #expect(facts.access.subject.fsuid == 4242)
      #expect(facts.access.subject.groups == [44])
      #expect(facts.access.subject.effective.isEmpty)
      #expect(facts.access.nodes.last?.path == "/mnt/closed")
      #expect(facts.access.nodes.last?.unobserved == [.contents])
      #expect(facts.kernelChecks.allSatisfy { $0.errno == .permissionDenied })
    }
  }
}
