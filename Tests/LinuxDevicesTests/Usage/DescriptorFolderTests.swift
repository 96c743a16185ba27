import Glibc
import LinuxTestSupport
import Testing

@testable import LinuxDevices

/// The descriptors of this process, whose runtime occasionally opens and closes others.
@Suite struct `A folder of descriptors` {
  @Test(arguments: [[], [0], [40], [5, 6, 7], [3, 4, 5, 6, 7, 8, 9, 10, 900], [77, 78, 80, 300]])
  func `hands over every open file, read from the first gap on or wholly`(
    numbers: [Int32]
  ) async throws {
    await #expect(processExitsWith: .success) { [numbers = numbers as [Int32]] in
      let file = unsafe open("/dev/full", O_RDONLY | O_CLOEXEC)
      for number in numbers { try #require(dup2(file, number) == number) }
      // Reading the list can be avoided only because the kernel orders the numbers.
      #expect((0..<50).contains { _ in DescriptorFolder.startsAtNumbers(proc: "/proc") })
      var buffer = [UInt8](repeating: 0, count: 256)
      let process = try OpenDirectory("/proc/self")
      for startsAtNumbers in [true, false] {
        var isSame = false
        for _ in 0..<100 {
          let folder = try DescriptorFolder("fd", in: process)
          var met: [UInt32] = []
          try folder.each(startsAtNumbers: startsAtNumbers, &buffer) { met.append($1) }
          let open = (0..<1024).filter { fcntl($0, F_GETFD) >= 0 }.map(UInt32.init)
          isSame = isSame || met == open
          #expect(numbers.allSatisfy { met.contains(UInt32($0)) })
        }
        #expect(isSame)
      }
    }
  }

  @Test func `of a recorded machine is read as a list`() {
    #expect(!DescriptorFolder.startsAtNumbers(proc: "/tmp"))
  }
}
