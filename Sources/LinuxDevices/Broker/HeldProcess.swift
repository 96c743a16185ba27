internal import CLinux
internal import Glibc

/// A process that is held by a descriptor, so that its number cannot come to mean another.
package struct HeldProcess: ~Copyable, Sendable {
  /// Its process ID.
  package let number: UInt32
  private let descriptor: OwnedDescriptor

  /// Holds the process that has a number now; `nil` where none has it (pidfd_open(2)).
  package init?(_ process: UInt32) {
    guard let number = Int32(exactly: process), number > 0,
      let descriptor = try? OwnedDescriptor(negated: clinux_process(number))
    else { return nil }
    self.number = process
    self.descriptor = descriptor
  }

  /// Whether it has ended.
  package var hasEnded: Bool {
    var event = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&event, 1, 0) == 1
  }

  /// What it calls itself (proc_pid_comm(5)), which it may choose; `nil` where that cannot be read, or of
  /// one that has ended.
  package var name: String? {
    let name = try? BoundedFile.line("/proc/\(number)/comm", limit: 64)
    // Until it has ended, nobody else has its number.
    return hasEnded ? nil : name
  }
}
