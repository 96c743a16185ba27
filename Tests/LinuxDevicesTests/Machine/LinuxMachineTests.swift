import AccessModel
import Glibc
import Testing

@testable import LinuxDevices

@Suite struct LinuxMachineTests {
  @Test func `the subject is the calling thread`() throws {
    let facts = try LinuxMachine().facts(for: Question(.path("/dev/null")))
    let subject = facts.access.subject
    #expect(subject.fsuid == geteuid())
    #expect(subject.egid == getegid())
    let status = ThreadStatus(
      parsing: try BoundedFile.read("/proc/thread-self/status", limit: 1 << 16).bytes)
    #expect(subject.effective == status.effective)
    #expect(subject.permitted == status.permitted)
    #expect(subject.inheritable == status.inheritable)
    #expect(subject.bounding == status.bounding)
    #expect(subject.ambient == status.ambient)
    #expect(subject.bounding == CapabilityState.bounding())
    #expect(subject.ambient == CapabilityState.ambient())
    #expect(subject.groups == status.supplementaryGroups)
    #expect(subject.noNewPrivileges == status.noNewPrivileges)
    #expect(facts.confinement.seccompMode == status.seccompMode)
  }

  @Test func `a device is requested as programs open it`() throws {
    let facts = try LinuxMachine().facts(for: Question(.path("/dev/null")))
    #expect(facts.access.request == .open(path: "/dev/null", flags: [.readWrite, .nonBlocking]))
    #expect(facts.access.mounts.first?.at == "/")
    #expect(facts.access.nodes.map(\.path) == ["/", "/dev", "/dev/null"])
    #expect(facts.kernelChecks.map(\.permissions) == [.read, .write, [.read, .write]])
    #expect(facts.kernelChecks.allSatisfy { $0.errno == 0 })
    #expect(facts.kind == nil)
  }

  @Test func `a directory is asked for reading and search`() throws {
    let facts = try LinuxMachine().facts(for: Question(.path("/dev/")))
    #expect(
      facts.access.request
        == .access(path: "/dev/", mode: [.read, .search], effective: true, noFollow: false))
    #expect(facts.kernelChecks.contains { $0.permissions == [.read, .search] })
  }

  @Test func `the wanted access goes before the usual one`() throws {
    let question = Question(.path("/dev/null"), wanted: .write)
    let facts = try LinuxMachine().facts(for: question)
    #expect(facts.access.request == .open(path: "/dev/null", flags: [.writeOnly, .nonBlocking]))
  }

  @Test func `the kernel's answer comes from where it was injected`() throws {
    let machine = LinuxMachine(kernelCheck: { path, mode in
      path == "/dev/null" && mode.contains(.write) ? .notPermitted : .success
    })
    let facts = try machine.facts(for: Question(.path("/dev/null")))
    #expect(facts.kernelChecks.map(\.errno) == [.success, .notPermitted, .notPermitted])
  }

  @Test func `a kernel that cannot be asked is reported once`() throws {
    let machine = LinuxMachine(kernelCheck: { _, _ in nil })
    let facts = try machine.facts(for: Question(.path("/dev/null")))
    #expect(facts.kernelChecks.isEmpty)
    #expect(facts.unobserved.count { $0.layer == "kernel-check" } == 1)
  }

  @Test(arguments: ["", "/dev/\u{0}null", "/" + String(repeating: "x", count: 4096)])
  func `a path that no system call takes is an error`(path: String) {
    #expect(throws: DeviceError.self) { try LinuxMachine().facts(for: Question(.path(path))) }
    do {
      _ = try LinuxMachine().facts(for: Question(.path(path)))
    } catch {
      #expect(error.code == .invalidPath)
    }
  }

  @Test func `a name that is too long is left to the decision`() throws {
    let path = "/dev/\(String(repeating: "x", count: 300))"
    let facts = try LinuxMachine().facts(for: Question(.path(path)))
    #expect(facts.access.nodes.map(\.path) == ["/", "/dev"])
    #expect(facts.kernelChecks.allSatisfy { $0.errno == .nameTooLong })
  }

  @Test func `a relative path starts at the working directory`() throws {
    let facts = try LinuxMachine().facts(for: Question(.path("./x")))
    var buffer = [CChar](repeating: 0, count: 4096)
    _ = unsafe getcwd(&buffer, 4096)
    let directory = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
    #expect(facts.access.request.path == "\(directory)/./x")
  }

  @Test(arguments: DeviceKind.all)
  func `every kind has facts, with or without a device`(kind: DeviceKind) throws {
    let facts = try LinuxMachine().facts(for: Question(.kind(kind)))
    #expect(facts.kind == kind.name)
    #expect(facts.access.request.path.hasPrefix("/"))
    #expect(facts.access.nodes.first?.path == "/")
    let candidates = kind.candidates(in: facts.devices).compactMap(\.node)
    if let first = candidates.first {
      #expect(facts.access.request.path == first)
      let members = kind.members(in: facts.devices).compactMap(\.node)
      #expect(Set(facts.kernelChecks.map(\.path)) == Set(members))
    }
  }

  @Test func `the device behind a node is told with its path`() throws {
    let machine = LinuxMachine()
    guard !(try machine.devices(of: .kvm)).isEmpty else {
      try Test.cancel("there is no misc device in sysfs")
    }
    let device = try #require(try machine.devices(of: .kvm).first { $0.node != nil })
    let node = try #require(device.node)
    let facts = try machine.facts(for: Question(.path(node)))
    #expect(facts.devices.contains(device))
    #expect(device.number == facts.access.nodes.last?.rdev)
  }
}
