import AccessModel
import Testing

@testable import LinuxDevices

@Suite struct ThreadStatusTests {
  @Test func `the credentials of a thread are read`() {
    let status = ThreadStatus(
      parsing: Array(
        """
        Name:\tUid:\t9 9 9 9
        Uid:\t1000\t1001\t1002\t4294967294
        Gid:\t10\t11\t12\t13
        Groups:\t44 44 65534\u{20}
        NoNewPrivs:\t1
        CapInh:\t0000000000000000
        CapPrm:\t000001ffffffffff
        CapEff:\t0000000000000006
        CapBnd:\tffffffffffffffff
        CapAmb:\t0000000000000001
        Seccomp:\t2
        """.utf8))
    #expect(status.users == [1000, 1001, 1002, 4_294_967_294])
    #expect(status.groups == [10, 11, 12, 13])
    #expect(status.supplementaryGroups == [44, 44, 65534])
    #expect(status.permitted == .all)
    #expect(status.effective == [.overrideFileAccess, .readAndSearch])
    #expect(status.bounding?.bits == .max)
    #expect(status.ambient == [.changeOwner])
    #expect(status.noNewPrivileges == true)
    #expect(status.seccompMode == 2)
  }

  @Test(arguments: [
    "Uid:\t1 2 3", "Uid:\t1 2 3 4 5", "Uid:\t1 2 3 x", "Uid:\t1 2 3 4294967296", "Uid", "Uid:",
    "Uid:\t-1 2 3 4",
  ])
  func `a malformed line says nothing`(line: String) {
    #expect(ThreadStatus(parsing: Array(line.utf8)).users == nil)
  }

  @Test(arguments: ["CapEff:\t", "CapEff:\t+1", "CapEff:\tg", "CapEff:\t00000000000000001"])
  func `a malformed capability set says nothing`(line: String) {
    #expect(ThreadStatus(parsing: Array(line.utf8)).effective == nil)
  }

  @Test func `no groups at all are an empty list`() {
    #expect(ThreadStatus(parsing: Array("Groups:\t\n".utf8)).supplementaryGroups == [])
  }
}
