internal import CLinux
internal import Glibc

/// A process that is referenced by a descriptor, so a reused process ID is never mistaken for it.
package struct HeldProcess: ~Copyable, Sendable {
  /// The process ID.
  package let number: UInt32
  private let descriptor: OwnedDescriptor

  /// Opens the process that currently has the given ID (pidfd_open(2)); `nil` if that fails.
  package init?(_ process: UInt32) {
    guard let number = Int32(exactly: process), number > 0,
      let descriptor = try? OwnedDescriptor(negated: clinux_process(number))
    else { return nil }
    self.number = process
    self.descriptor = descriptor
  }

  /// A Boolean value that indicates whether the process has ended.
  package var hasEnded: Bool {
    var event = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&event, 1, 0) == 1
  }

  /// The name that the process gave itself (proc_pid_comm(5)), which is untrusted.
  ///
  /// It is `nil` if the name cannot be read or the process has ended.
  package var name: String? {
    let name = try? BoundedFile.line("/proc/\(number)/comm", limit: 64)
    // The ID cannot be reused until the process has ended, so the name belongs to this process.
    return hasEnded ? nil : name
  }
}
