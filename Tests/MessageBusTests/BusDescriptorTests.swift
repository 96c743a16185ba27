import Glibc
import LinuxTestSupport
import Testing

@testable import MessageBus

@Suite struct `A descriptor in a message` {
  @Test func `is handed over once, and belongs to the taker`() throws {
    let number: Int32
    do {
      let descriptor = BusDescriptor(adopting: unsafe open("/dev/full", O_RDONLY | O_CLOEXEC))
      number = try #require(descriptor.take())
      #expect(descriptor.take() == nil)
    }
    #expect(fcntl(number, F_GETFD) >= 0)
    close(number)
  }

  @Test func `that nobody takes is closed`() throws {
    let ends = try PipeEnds.open()
    defer { close(ends.reading) }
    do { _ = BusDescriptor(adopting: ends.writing) }
    var byte: UInt8 = 0
    // The end of file comes once the other end is closed everywhere.
    #expect(unsafe read(ends.reading, &byte, 1) == 0)
  }

  @Test func `is handed to one of many takers`() async {
    for _ in 0..<200 {
      let descriptor = BusDescriptor(adopting: unsafe open("/dev/null", O_RDONLY | O_CLOEXEC))
      let taken = await withTaskGroup(of: Int32?.self) { group in
        for _ in 0..<2 { group.addTask { descriptor.take() } }
        return await group.reduce(into: [Int32]()) { taken, number in
          if let number { taken.append(number) }
        }
      }
      #expect(taken.count == 1)
      for number in taken { close(number) }
    }
  }
}
