import Glibc
import LinuxTestSupport
import Testing

@testable import LinuxDevices

@Suite(.timeLimit(.minutes(5))) struct `A watch over a connection` {
  /// Returns two connected sockets.
  private func pair() throws -> (near: Int32, far: Int32) {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    try SystemError.check(unsafe socketpair(AF_UNIX, kind, 0, &ends), "socketpair")
    return (ends[0], ends[1])
  }

  private func count(_ watch: PeerWatch) async -> Int {
    var count = 0
    for await _ in watch.hangUps { count += 1 }
    return count
  }

  @Test func `tells once that the other end has gone, and leaves what it had sent`() async throws {
    let (near, far) = try pair()
    defer { close(near) }
    let watch = PeerWatch(near)
    #expect(unsafe write(far, "abc", 3) == 3)
    close(far)
    #expect(await count(watch) == 1)
    var bytes = [UInt8](repeating: 0, count: 8)
    #expect(unsafe read(near, &bytes, 8) == 3)
  }

  @Test func `that ends as the other end goes tells of it once, or not`() async throws {
    for round in 0..<200 {
      let (near, far) = try pair()
      let watch = PeerWatch(near)
      let counted = Task { await count(watch) }
      let ending = Task.detached { watch.end() }
      close(far)
      await ending.value
      #expect(await counted.value <= 1, "round \(round)")
      close(near)
    }
  }

  @Test func `lets the connection go when it ends`() async throws {
    let before = OwnProcess.descriptorCount
    let (near, far) = try pair()
    let watch = PeerWatch(near)
    close(near)
    watch.end()
    #expect(await count(watch) == 0)
    // The other end reads the end of the connection later.
    var byte: UInt8 = 0
    #expect(unsafe read(far, &byte, 1) == 0)
    close(far)
    #expect(await eventually { OwnProcess.descriptorCount <= before })
  }

  @Test func `ends at once where there is no socket`() async throws {
    #expect(await count(PeerWatch(-1)) == 0)
    let file = unsafe open("/etc/passwd", O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    #expect(await count(PeerWatch(file)) == 0)
  }
}
