import Synchronization
import Testing

@testable import LinuxDevices

@Suite struct `What files do not tell` {
  @Test(arguments: [
    ("", []),
    ("passwd: files systemd\ngroup: compat\nhosts: dns sss\n", []),
    ("passwd:files sss\ngroup: sss ldap # winbind\n", ["sss", "ldap"]),
    (" group : files [SUCCESS=merge] sss [ NOTFOUND = return ] nis\n", ["sss", "nis"]),
    ("initgroups: ldap\n:\ngroup\n#passwd: sss\n", ["ldap"]),
  ])
  func `are accounts of services`(text: String, names: [String]) {
    #expect(AccountServices.unreported(parsing: Array(text.utf8)) == names)
  }

  @Test func `is told after a sleep, once`() throws {
    let clock = Clock()
    let source = try SleepWatch.source(slept: { clock.slept }, { clock.wakeUp() })
    // A program sets the clock.
    #expect(source.handle(0))
    #expect(clock.wakeUps == 0)
    clock.sleep(5000)
    #expect(source.handle(0))
    #expect(source.handle(0))
    #expect(clock.wakeUps == 1)
  }

  private final class Clock: Sendable {
    private let state = Mutex((slept: Int64(1000), wakeUps: 0))

    var slept: Int64 { state.withLock { $0.slept } }
    var wakeUps: Int { state.withLock { $0.wakeUps } }

    func sleep(_ milliseconds: Int64) { state.withLock { $0.slept += milliseconds } }
    func wakeUp() { state.withLock { $0.wakeUps += 1 } }
  }
}
