import AccessModel
import Glibc
import LinuxTestSupport
import Synchronization
import Testing

@testable import LinuxDevices

@Suite struct `The event loop` {
  /// A pipe that passes each byte that it reads to a closure.
  private final class Pipe: Sendable {
    let writer: OwnedDescriptor
    let source: DescriptorSource
    let received: Mutex<[UInt8]>

    /// Creates a pipe whose source ends after a given byte.
    init(
      endingWith end: UInt8? = nil, _ body: @escaping @Sendable (UInt8) -> Void = { _ in }
    ) throws {
      let ends = try PipeEnds.open()
      let reader = try OwnedDescriptor(ends.reading)
      writer = try OwnedDescriptor(ends.writing)
      received = Mutex([])
      source = DescriptorSource(reader, interest: 1) { descriptor, _ in
        var byte: UInt8 = 0
        guard unsafe read(descriptor, &byte, 1) == 1 else { return false }
        body(byte)
        return byte != end
      }
    }

    func send(_ byte: UInt8) { _ = unsafe write(writer.number, [byte], 1) }
  }

  /// Waits for an effect of another thread; a loaded machine gets at least a minute.
  private func eventually(_ condition: () -> Bool) async throws {
    for _ in 0..<60_000 {
      if condition() { return }
      try await Task.sleep(for: .milliseconds(1))
    }
    Issue.record("it did not happen within a minute")
  }

  @Test func `one thread serves every source, and ends with the last`() async throws {
    let loop = EventLoop()
    let (stream, continuation) = AsyncStream.makeStream(of: UInt8.self)
    let pipes = try (0..<50).map { _ in try Pipe { continuation.yield($0) } }
    var registrations: [WatchRegistration] = []
    for pipe in pipes { registrations.append(try loop.watch(pipe.source)) }
    #expect(loop.count == 50)
    for (index, pipe) in pipes.enumerated() { pipe.send(UInt8(index)) }
    var seen: Set<UInt8> = []
    for await byte in stream {
      seen.insert(byte)
      if seen.count == 50 { break }
    }
    for registration in registrations { registration.cancel() }
    #expect(loop.count == 0)
    try await eventually { !loop.isRunning }
  }

  @Test func `a loop that ended starts again`() async throws {
    let loop = EventLoop()
    for round in 0..<200 as Range<UInt8> {
      let (stream, continuation) = AsyncStream.makeStream(of: UInt8.self)
      let pipe = try Pipe { continuation.yield($0) }
      let registration = try loop.watch(pipe.source)
      pipe.send(round)
      var bytes = stream.makeAsyncIterator()
      #expect(await bytes.next() == round)
      registration.cancel()
      // In every other round, the thread may still be running.
      if round % 2 == 0 { try await eventually { !loop.isRunning } }
    }
  }

  @Test func `a source that has ended is not called again`() async throws {
    let loop = EventLoop()
    let count = Atomic<Int>(0)
    try await confirmation { confirm in
      let pipe = try Pipe(endingWith: 0) { _ in
        count.add(1, ordering: .relaxed)
        confirm()
      }
      let registration = try loop.watch(pipe.source)
      pipe.send(0)
      pipe.send(1)
      try await eventually { loop.count == 0 }
      try await eventually { !loop.isRunning }
      registration.cancel()
    }
    #expect(count.load(ordering: .relaxed) == 1)
  }

  @Test func `a registration that goes away stops watching`() async throws {
    let loop = EventLoop()
    let pipe = try Pipe()
    do {
      let registration = try loop.watch(pipe.source)
      #expect(loop.count == 1)
      _ = consume registration
    }
    #expect(loop.count == 0)
    try await eventually { !loop.isRunning }
  }

  @Test func `sources come and go from two threads while others fire`() async throws {
    let loop = EventLoop()
    await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<2 {
        group.addTask {
          for round in 0..<5_000 {
            let pipe = try Pipe()
            if round % 3 != 0 { pipe.send(1) }
            let registration = try loop.watch(pipe.source)
            if round % 3 == 0 { pipe.send(1) }
            registration.cancel()
          }
        }
      }
    }
    #expect(loop.count == 0)
    try await eventually { !loop.isRunning }
  }

  @Test func `what cannot be watched is refused, and leaves no thread behind`() async throws {
    let loop = EventLoop()
    // EPERM: regular files are always ready, so epoll does not accept them.
    let file = DescriptorSource(
      try OwnedDescriptor(unsafe open("/etc/passwd", O_RDONLY | O_CLOEXEC)), interest: 1
    ) { _, _ in true }
    #expect(throws: Errno.notPermitted) { try loop.watch(file) }
    #expect(loop.count == 0)
    try await eventually { !loop.isRunning }
  }

  @Test func `a host waits in place of the thread, until it goes away`() async throws {
    let loop = EventLoop()
    let count = Atomic<Int>(0)
    let (stream, continuation) = AsyncStream.makeStream(of: pthread_t.self)
    let pipe = try Pipe { _ in continuation.yield(pthread_self()) }
    var registration: WatchRegistration?
    // There is no suspension, so one thread runs all of this.
    try {
      let host = EventHost(of: loop) { count.add(1, ordering: .relaxed) }
      var room = EventHost.Room()
      #expect(!host.isNeeded)
      registration = try loop.watch(pipe.source)
      #expect(host.isNeeded && count.load(ordering: .relaxed) == 1)
      pipe.send(1)
      var isWoken = false
      host.wait(&room) { isWoken = true }
      #expect(isWoken)
      host.wake()
      host.wait(&room) {}
      registration?.cancel()
      #expect(!host.isNeeded && !loop.isRunning)
      registration = try loop.watch(pipe.source)
      #expect(host.isNeeded && count.load(ordering: .relaxed) == 2)
      continuation.yield(pthread_self())
    }()
    pipe.send(2)
    var threads: [pthread_t] = []
    for await thread in stream {
      threads.append(thread)
      if threads.count == 3 { break }
    }
    #expect(threads[0] == threads[1] && threads[1] != threads[2])
    registration?.cancel()
    try await eventually { !loop.isRunning }
  }

  @Test func `a host that cannot watch what it is given is told of the next`() throws {
    let loop = EventLoop()
    let count = Atomic<Int>(0)
    let host = EventHost(of: loop) { count.add(1, ordering: .relaxed) }
    let file = DescriptorSource(
      try OwnedDescriptor(unsafe open("/etc/passwd", O_RDONLY | O_CLOEXEC)), interest: 1
    ) { _, _ in true }
    #expect(throws: Errno.notPermitted) { try loop.watch(file) }
    let pipe = try Pipe()
    let registration = try loop.watch(pipe.source)
    #expect(count.load(ordering: .relaxed) > 0 && host.isNeeded)
    registration.cancel()
    #expect(!host.isNeeded)
  }
}
