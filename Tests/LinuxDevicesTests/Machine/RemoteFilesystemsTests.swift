import Dispatch
import Synchronization
import Testing

@testable import AccessModel
@testable import LinuxDevices

@Suite struct `Filesystems that may not answer` {
  /// A server that can stop answering, and the processes that wait for it.
  private final class Server: Sendable {
    struct State {
      var isAnswering = true
      var asked: [Int32] = []
      var waiting: Set<Int32> = []
      var ended: [Int32] = []
      var now = ContinuousClock.now
    }

    let state = Mutex(State())

    var system: RemoteFilesystems.System {
      var system = RemoteFilesystems.System()
      system.ask = { [self] _, patience in
        state.withLock { state in
          state.asked.append(patience)
          guard !state.isAnswering else { return nil }
          let process = Int32(state.asked.count)
          state.waiting.insert(process)
          return RemoteFilesystems.Child(process: process, socket: process)
        }
      }
      system.hasEnded = { [self] process in state.withLock { !$0.waiting.contains(process) } }
      system.close = { [self] process in state.withLock { $0.ended.append(process) } }
      system.now = { [self] in state.withLock { $0.now } }
      return system
    }

    func advance(_ seconds: Int) { state.withLock { $0.now += .seconds(seconds) } }
  }

  @Test func `one that answers is asked each time`() {
    let server = Server()
    let filesystems = RemoteFilesystems(server.system)
    #expect(filesystems.answers(at: "/mnt"))
    #expect(filesystems.answers(at: "/mnt"))
    #expect(server.state.withLock { $0.asked } == [3000, 3000])
    #expect(!filesystems.isSilent(at: "/mnt"))
  }

  @Test func `while somebody waits nobody else does`() {
    let server = Server()
    let filesystems = RemoteFilesystems(server.system)
    server.state.withLock { $0.isAnswering = false }
    for _ in 0..<5 { #expect(!filesystems.answers(at: "/mnt")) }
    #expect(server.state.withLock { $0.asked } == [3000])
    #expect(filesystems.isSilent(at: "/mnt/a/b"))
    #expect(filesystems.isSilent(at: "/mnt"))
    #expect(!filesystems.isSilent(at: "/mnt2/a"))
    // The answer arrives.
    server.state.withLock { ($0.isAnswering, $0.waiting) = (true, []) }
    #expect(filesystems.answers(at: "/mnt"))
    #expect(server.state.withLock { $0.ended } == [1])
    #expect(!filesystems.isSilent(at: "/mnt/a/b"))
  }

  @Test func `one whose question was lost is asked again, less and less often`() {
    let server = Server()
    let filesystems = RemoteFilesystems(server.system)
    server.state.withLock { $0.isAnswering = false }
    for second in 0..<1000 {
      #expect(!filesystems.answers(at: "/mnt"), "after \(second) s")
      server.advance(1)
    }
    // Queries after 0, 5, 15, 35, 75, 155, 315, 615 and 915 seconds.
    #expect(server.state.withLock { $0.asked } == [3000] + Array(repeating: 100, count: 8))
    #expect(server.state.withLock { $0.ended } == [1, 2, 3, 4, 5, 6, 7, 8])
    // The server answers from now on, except for the earlier queries.
    server.state.withLock { $0.isAnswering = true }
    server.advance(300)
    #expect(filesystems.answers(at: "/mnt"))
    #expect(!filesystems.isSilent(at: "/mnt"))
    #expect(server.state.withLock { $0.ended } == [1, 2, 3, 4, 5, 6, 7, 8, 9])
  }

  /// The server answers the query, but not the scan.
  @Test func `a look that waits for one is made again without it`() {
    let server = Server()
    let filesystems = RemoteFilesystems(server.system)
    let gate = DispatchSemaphore(value: 0)
    let isFirst = Atomic(true)
    let seen = filesystems.scan(at: "/mnt") {
      guard filesystems.answers(at: "/mnt") else { return "silent" }
      if isFirst.exchange(false, ordering: .relaxed) {
        server.state.withLock { $0.isAnswering = false }
        gate.wait()
      }
      return "seen"
    }
    #expect(seen == "silent")
    let start = ContinuousClock.now
    #expect(filesystems.scan(at: "/mnt") { filesystems.answers(at: "/mnt") } == false)
    #expect(start.duration(to: .now) < .seconds(3))
    // The scans did not start a child each.
    #expect(server.state.withLock { $0.asked } == [3000, 100])
    gate.signal()
    server.state.withLock { ($0.isAnswering, $0.waiting) = (true, []) }
    #expect(filesystems.scan(at: "/mnt") { filesystems.answers(at: "/mnt") })
  }

  @Test func `processes that cannot end do not become more and more`() {
    let server = Server()
    let filesystems = RemoteFilesystems(server.system)
    server.state.withLock { $0.isAnswering = false }
    for _ in 0..<100 {
      _ = filesystems.answers(at: "/mnt")
      server.advance(301)
    }
    #expect(server.state.withLock { $0.waiting.count } == 17)
  }

  @Test func `a filesystem that is there answers, and so does a place where none is`() {
    let filesystems = RemoteFilesystems()
    for point in ["/", "/proc", "/no/such"] {
      #expect(filesystems.answers(at: point))
      #expect(!filesystems.isSilent(at: point))
    }
  }

  private let mounts = MountTable(
    parsing: Array(
      #"""
      27 1 254:0 / / rw - ext4 /dev/vda rw
      31 27 0:41 / /mnt/a\040b rw - fuse.sshfs host: rw
      32 31 0:42 / /mnt/a\040b/local rw - tmpfs none rw
      33 27 0:43 / /home rw - nfs4 host:/home rw
      34 27 0:44 / /sys/fs/fuse/connections rw - fusectl none rw
      """#.utf8))

  @Test(arguments: [
    ("/", nil), ("/mnt", nil), ("/mnt/a b", "/mnt/a b"), ("/mnt/a b/c/d", "/mnt/a b"),
    ("/mnt/a bc", nil), ("/mnt/a b/local/x", nil), ("/home/alice", "/home"),
    ("/sys/fs/fuse/connections/1", nil),
  ])
  func `only those are asked that somebody else serves`(path: String, point: String?) {
    #expect(mounts.distantPoint(of: path) == point)
  }

  @Test func `a root that somebody else serves is not asked`() {
    let mounts = MountTable(parsing: Array("27 1 0:43 / / rw - nfs4 host:/ rw".utf8))
    #expect(mounts.distantPoint(of: "/etc") == nil)
  }

  @Test func `a walk ends where one does not answer, and asks it once`() {
    let server = Server()
    server.state.withLock { $0.isAnswering = false }
    let mounts = MountTable(
      parsing: Array(
        "27 1 254:0 / / rw - ext4 /dev/vda rw\n31 27 0:41 / /usr/bin rw - nfs host:/ rw".utf8))
    var observer = PathObserver(
      translator: IDTranslator(namespace: nil), mounts: mounts,
      filesystems: RemoteFilesystems(server.system))
    #expect(PathWalk.walk("/usr/bin/env", with: &observer) == nil)
    #expect(PathWalk.walk("/usr/bin/true", with: &observer) == nil)
    let metSilence = observer.metSilence
    #expect(metSilence)
    #expect(server.state.withLock { $0.asked.count } == 1)
    let nodes = observer.sightings.map(\.node)
    #expect(nodes.map(\.path) == ["/", "/usr", "/usr/bin"])
    #expect(nodes.last?.unobserved.contains(.status) == true)
    let unobserved = observer.unobserved
    #expect(
      unobserved.contains(
        Unobserved("status", at: "/usr/bin", reason: "its filesystem does not respond")))
  }
}
