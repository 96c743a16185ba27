import AccessBroker
import AccessModel
import Foundation
import Glibc
import LinuxDevices
import LinuxTestSupport
import Synchronization

/// A driver whose open(2) waits in the kernel: what it opens is a pipe without a writer.
final class WaitingDriver: Sendable {
  private let directory: TemporaryDirectory
  /// The pipe, whose name no other test knows.
  let path: String
  /// The names of the threads that it was called on, as the kernel has them.
  private let callers = Mutex<Set<String>>([])

  init() throws {
    let directory = try TemporaryDirectory()
    path = "\(directory.path)/driver"
    self.directory = directory
    try SystemError.check(unsafe mkfifo(path, 0o600), "mkfifo")
  }

  /// Opens `/dev/null` by the driver, and other devices as they are opened.
  var open: OpeningThreads.Open {
    { [self] (node, wanted, place) throws(GrantError) in
      guard place == BrokerBus.null.node else { return try node.open(for: wanted, calledBy: place) }
      let thread = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
      callers.withLock { _ = $0.insert(thread ?? "unknown") }
      return DeviceDescriptor(adopting: unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC))
    }
  }

  /// Lets those go who wait; the driver waits again once this has returned.
  func release(until condition: () -> Bool) async -> Bool {
    let reader = unsafe Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    defer { close(reader) }
    let writer = unsafe Glibc.open(path, O_RDWR | O_CLOEXEC)
    let isMet = await eventually(condition)
    close(writer)
    // A program that another test starts has the writer, too, until its execve(2).
    var byte: UInt8 = 0
    return await eventually { unsafe read(reader, &byte, 1) == 0 } && isMet
  }

  /// How many threads that it was called on there are, as the kernel says.
  var threads: Int {
    callers.withLock { callers in
      callers.count { FileManager.default.fileExists(atPath: "/proc/\($0)") }
    }
  }

  /// How many threads it was called on.
  var allThreads: Int { callers.withLock { $0.count } }

  /// How many descriptors of this process lead to it.
  var descriptors: Int {
    let files = FileManager.default
    let names = (try? files.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return names.count { name in
      (try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")) == path
    }
  }
}
