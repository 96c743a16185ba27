import AccessModel
import CCapability
import Glibc
import LinuxTestSupport
import Testing

@testable import LinuxDevices

// glibc declares these functions only with _GNU_SOURCE.
@_silgen_name("setfsuid") private func setfsuid(_ user: UInt32) -> Int32
@_silgen_name("setresuid") private func setresuid(_ r: UInt32, _ e: UInt32, _ s: UInt32) -> Int32

/// Credentials of child processes, which change them permanently.
@Suite(.requiresRoot) struct CredentialTests {
  @Test func `every identifier is told apart`() async {
    await #expect(processExitsWith: .success) {
      try SystemError.check(setresuid(4001, 0, 4003), "setresuid")
      _ = setfsuid(4004)
      let subject = CredentialObserver(roots: MachineRoots()).observe().subject
      #expect(subject.ruid == 4001)
      #expect(subject.euid == 0)
      #expect(subject.suid == 4003)
      #expect(subject.fsuid == 4004)
      #expect(subject.userNamespace == nil)
      #expect(subject.unobserved.isEmpty)
    }
  }

  @Test func `capabilities, secure bits and no-new-privileges are the thread's own`() async {
    await #expect(processExitsWith: .success) {
      let state = unsafe cap_from_text("cap_chown,cap_fowner=p cap_fowner+e cap_chown+i")
      // PR_SET_SECUREBITS with SECBIT_NO_SETUID_FIXUP, PR_SET_NO_NEW_PRIVS.
      try SystemError.check(cap_prctl(28, 4, 0, 0, 0, 0), "prctl")
      try SystemError.check(unsafe cap_set_proc(state), "cap_set_proc")
      unsafe cap_free(UnsafeMutableRawPointer(state))
      try SystemError.check(cap_prctl(38, 1, 0, 0, 0, 0), "prctl")
      let subject = CredentialObserver(roots: MachineRoots()).observe().subject
      #expect(subject.permitted == [.changeOwner, .actAsFileOwner])
      #expect(subject.effective == [.actAsFileOwner])
      #expect(subject.inheritable == [.changeOwner])
      #expect(subject.ambient.isEmpty)
      #expect(subject.securebits == 4)
      #expect(subject.noNewPrivileges)
    }
  }

  @Test(arguments: [0, 1, 63, 64, 65, 1000])
  func `has all groups of a thread, however many they are`(count: Int) async {
    await #expect(processExitsWith: .success) { [count = count as Int] in
      let groups = (0..<count).map { gid_t(5000 + $0) }
      try #require(unsafe setgroups(groups.count, groups) == 0)
      #expect(CredentialObserver.supplementaryGroups() == groups)
    }
  }
}
