import AccessBroker
import AccessModel
import Foundation
import Glibc
import LinuxDevices
import LinuxTestSupport
import Synchronization

/// Simulates a driver whose open(2) blocks in the kernel, with a pipe without a writer.
final class WaitingDriver: Sendable {
  private let directory: TemporaryDirectory
  /// The path of the pipe, which no other test uses.
  let path: String
  /// The kernel's names of the threads that called the driver.
  private let callers = Mutex<Set<String>>([])

  init() throws {
    let directory = try TemporaryDirectory()
    path = "\(directory.path)/driver"
    self.directory = directory
    try SystemError.check(unsafe mkfifo(path, 0o600), "mkfifo")
  }

  /// Opens `/dev/null` through the simulated driver, and other devices normally.
  var open: OpeningThreads.Open {
    { [self] (node, wanted, place) throws(GrantError) in
      guard place == BrokerBus.null.node else { return try node.open(for: wanted, calledBy: place) }
      let thread = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
      callers.withLock { _ = $0.insert(thread ?? "unknown") }
      return DeviceDescriptor(adopting: unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC))
    }
  }

  /// Releases the waiting callers; after this method returns, the driver blocks again.
  func release(until condition: () -> Bool) async -> Bool {
    let reader = unsafe Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    defer { close(reader) }
    let writer = unsafe Glibc.open(path, O_RDWR | O_CLOEXEC)
    let isMet = await eventually(condition)
    close(writer)
    // A program that another test starts also holds the writing end until its execve(2).
    var byte: UInt8 = 0
    return await eventually { unsafe read(reader, &byte, 1) == 0 } && isMet
  }

  /// The number of threads that called the driver and still exist, according to the kernel.
  var threads: Int {
    callers.withLock { callers in
      callers.count { FileManager.default.fileExists(atPath: "/proc/\($0)") }
    }
  }

  /// The number of threads that called the driver.
  var allThreads: Int { callers.withLock { $0.count } }

  /// The number of descriptors of this process that refer to the pipe.
  var descriptors: Int {
    let files = FileManager.default
    let names = (try? files.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return names.count { name in
      (try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")) == path
    }
  }
}
